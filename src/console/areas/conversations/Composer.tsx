import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from "react";
import { type Command, commandWords, readCommands, toolWords } from "../../../contract/command.ts";
import { ConsoleError, isConflict, isNotFound } from "../../api/errors.ts";
import { NotDone } from "../../lib/failure/Failure.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { SecretWarning, useSecretCheck } from "../../lib/secret-warning/SecretWarning.tsx";
import { shownName } from "../../lib/shownName.ts";
import { phone, useMedia } from "../../lib/useMedia.ts";
import { AddChip } from "../../ui/AddChip.tsx";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { CommandForm } from "./commands.tsx";
import { sendProblem } from "./mutations.ts";
import { messageFault, TooLong } from "./TooLong.tsx";

type Props = {
  /** To whom: "Write to Clerk". */
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Sends or queues the text as it stands; the caller empties it when it was accepted. */
  onSend: (text: string) => void;
  isSending: boolean;
  /** What the button does: "Send", "Start", "Queue message". */
  action: string;
  /** Beside the button the text is waited for; primary where nothing else on the page is. */
  isPrimary?: boolean;
  /** Another button before the one that sends. */
  extra?: ReactNode;
  /** Quiet words at the left of the button. */
  note?: ReactNode;
  /** Why the last try failed, over the field. */
  error?: ReactNode;
  isSmall?: boolean;
  fieldRef?: Ref<HTMLTextAreaElement>;
};

/** Where a message is written. It warns before something goes out that looks like a key (C-39). */
export function Composer(props: Props) {
  const { label, text, onText, onSend, isSending, action, note, error, isSmall = false } = props;
  const hintId = useId();
  const isPhone = useMedia(phone);
  const { secret, allow } = useSecretCheck(text);
  const [isWarned, setWarned] = useState(false);
  const fault = messageFault(text);

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (fault !== undefined || isSending) return;
    if (secret !== null) setWarned(true);
    else onSend(text);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    const isAsked = event.ctrlKey || event.metaKey;
    // On a phone Enter is a new line: its keyboard has no other one.
    if (!isAsked && (event.shiftKey || event.altKey || isPhone)) return;
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={send} className="flex min-w-0 flex-col gap-2">
      {error}
      <TooLong text={text} />
      {secret && (
        <SecretWarning
          secret={secret}
          action={isWarned ? "Send anyway" : "It isn’t a secret"}
          onAllow={() => {
            const next = allow();
            if (isWarned && next === null && fault === undefined) onSend(text);
          }}
        >
          Anyone who can read this conversation would see it, and so would the model. Remove it, or it stays
          in the history.
        </SecretWarning>
      )}
      <div
        className={cx(
          "rounded-control border border-line-strong bg-surface focus-within:border-focus",
          isSmall ? "flex items-end gap-2 py-1 pr-1 pl-2.5" : "px-2.5 pt-1.5 pb-2",
        )}
      >
        <textarea
          ref={props.fieldRef}
          aria-label={label}
          aria-describedby={hintId}
          placeholder={label}
          value={text}
          rows={1}
          readOnly={isSending}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKey}
          className={cx(
            "field-sizing-content block max-h-[34vh] w-full min-w-0 resize-none bg-transparent py-1 text-control outline-none",
            !isSmall && "min-h-8",
          )}
        />
        <div className={cx("flex items-center gap-3", !isSmall && "pt-1.5")}>
          <span id={hintId} className={cx("min-w-0 flex-1 text-muted text-secondary", isSmall && "sr-only")}>
            {note ?? "Enter to send, Shift+Enter for a new line"}
          </span>
          {props.extra}
          <Button
            type="submit"
            size="small"
            variant={props.isPrimary ? "primary" : "plain"}
            loading={isSending}
            disabledReason={fault}
            reasonAs="title"
          >
            {action}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** In place of the field, where the person's role does not let them write: which it takes. */
export function NotToThem({ action, missing }: { action: string; missing: string }) {
  return (
    <p className="py-1 text-muted">
      <span className="font-medium text-default">{action}:</span> {missing}.
    </p>
  );
}

/** Said of a message of which no answer came. */
export const unsureTitle = "The message may not have been sent";

/** Why a message was not taken, or what hides whether it was. It is still in the field. @param remark where it is unsure */
export function SendError({ error, remark = "" }: { error: unknown; remark?: string }) {
  const isUnsure = error instanceof ConsoleError && error.kind !== "http";
  const title = isConflict(error)
    ? "The agent has already started another turn"
    : isNotFound(error)
      ? "Message not sent: the agent or conversation no longer exists"
      : isUnsure
        ? unsureTitle
        : "Message not sent";
  return (
    <NotDone error={error} title={title}>
      {isConflict(error)
        ? "Your message is still here. Queue it, or send it when the turn ends."
        : `${sendProblem(error)} Your message is still here. ${isUnsure ? remark : ""}`}
    </NotDone>
  );
}

/** What says what an agent offers, as the service tells of it, of whatever shape. */
export interface Offering {
  readonly metadata?: unknown;
  readonly tools?: unknown;
  readonly model_name?: unknown;
}

type StarterPromptsProps = {
  agent: Offering | undefined;
  name: string;
  /** A conversation goes on: of its agent's ways to begin only the forms are shown. */
  isOngoing?: boolean;
  action: string;
  onPick: (prompt: string) => void;
  onSend: (text: string) => void;
};

/**
 * The first words that an agent offers (`metadata.chat.starter_prompts`): a click fills the field and sends nothing. One that
 * is a command of the built-in model is shown in words, with a form behind it; an agent on that model has such a form for
 * each of its built-in tools.
 */
export function StarterPrompts({
  agent,
  name,
  isOngoing = false,
  action,
  onPick,
  onSend,
}: StarterPromptsProps) {
  const [opened, setOpened] = useState<Command | null>(null);
  const { words, commands } = offersOf(agent);
  const shown = isOngoing ? [] : words;
  if (shown.length + commands.length === 0) return null;
  return (
    <>
      <ul
        aria-label={isOngoing ? "What it can do" : "Starter prompts"}
        className="flex flex-wrap gap-1.5 pb-2"
      >
        {shown.map((prompt) => (
          <Offer key={prompt} words={prompt} onClick={() => onPick(prompt)} />
        ))}
        {commands.map(({ words, command }) => (
          <Offer key={words} words={`${words}…`} onClick={() => setOpened(command)} />
        ))}
      </ul>
      {opened && (
        <LazyPart>
          <CommandForm
            command={opened}
            agent={shownName(name)}
            action={action}
            onSend={onSend}
            onClose={() => setOpened(null)}
          />
        </LazyPart>
      )}
    </>
  );
}

function Offer({ words, onClick }: { words: string; onClick: () => void }) {
  return (
    <li className="min-w-0 max-w-full">
      <AddChip className="max-w-full border-solid" onClick={onClick} title={words}>
        <span className="truncate">{words}</span>
      </AddChip>
    </li>
  );
}

const most = 4;
const offlineModel = "builtin/offline";

/** What a form of a built-in tool begins with. */
const examples: readonly Command[] = [
  { tool: "write_file", args: { name: "notes.md", content: "" } },
  { tool: "read_file", args: { name: "" } },
  { tool: "http_get", args: { url: "https://" } },
  { tool: "search_knowledge", args: { query: "" } },
];

function offersOf(agent: Offering | undefined) {
  const prompts = startersOf(agent?.metadata).map((text) => ({ text, commands: readCommands(text) }));
  const words = prompts.flatMap(({ text, commands }) => (commands === null ? [text] : []));
  const offered = prompts.flatMap(({ commands }) => (commands?.length === 1 ? commands : []));
  const tools = agent?.model_name === offlineModel ? listOf(agent.tools) : [];
  const types = tools.map((tool) => fieldOf(tool, "type"));
  const known = new Set(offered.map(({ tool }) => tool));
  const own = examples.filter(({ tool }) => types.includes(tool) && !known.has(tool));
  const ofOne = (tool: string) => offered.filter((one) => one.tool === tool).length === 1;
  const named = [
    // The same tool twice: what it is about tells them apart.
    ...offered.map((command) => ({
      words: ofOne(command.tool) ? toolWords(command.tool) : commandWords(command),
      command,
    })),
    ...own.map((command) => ({ words: toolWords(command.tool), command })),
  ];
  return { words, commands: [...new Map(named.map((one) => [one.words, one])).values()] };
}

function startersOf(metadata: unknown): readonly string[] {
  const prompts = listOf(fieldOf(fieldOf(metadata, "chat"), "starter_prompts"));
  const texts = prompts.filter((one): one is string => typeof one === "string" && one.trim() !== "");
  return [...new Set(texts)].slice(0, most);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function fieldOf(value: unknown, key: string): unknown {
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
