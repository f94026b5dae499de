import ChevronRight from "lucide-react/icons/chevron-right";
import { type ReactNode, useState } from "react";
import { toolCallStates } from "../../../contract/area-states.ts";
import { describeState } from "../../../contract/states.ts";
import { formatSize } from "../../lib/files.ts";
import { JsonActions, JsonView } from "../../lib/json/JsonView.tsx";
import { kindWord, measure, preview } from "../../lib/json/measure.ts";
import { type Find, Marked } from "../../lib/markdown/Marked.tsx";
import { shownName } from "../../lib/shownName.ts";
import { cx } from "../../ui/cx.ts";
import { StateShape, toneWord } from "../../ui/State.tsx";
import { ApprovalNote } from "../inbox/index.ts";
import { Took } from "./ConversationState.tsx";
import { errorWords, type ToolCall } from "./message-rows.ts";
import { textOf } from "./useFind.ts";

type Props = { call: ToolCall; find: Find; actions: ReactNode };

const edges: Partial<Record<ToolCall["tone"], string>> = {
  failed: "border-state-failed-line",
  running: "border-state-running-line",
  stopped: "border-state-stopped-line",
  waiting: "border-state-waiting-line",
  unknown: "border-dashed border-state-unknown-line",
};

/**
 * A call of a tool: one line while it runs; arguments open and result folded when it is done; its error first when it
 * failed; and, where people are asked first, the answer.
 */
export function ToolCard({ call, find, actions }: Props) {
  const { tone, args, result } = call;
  const isRunning = tone === "running";
  // The service gives a call that waits without a result as null.
  const isComing = tone === "waiting" && result === null;
  const hasArgs = args !== undefined && args !== null;
  const words = tone === "failed" ? errorWords(result) : null;
  return (
    <article
      aria-label={`Tool call ${shownName(call.name)}`}
      className={cx("overflow-hidden rounded-control border bg-surface", edges[tone] ?? "border-line-strong")}
    >
      <Head call={call} find={find} actions={actions} />
      {tone === "failed" && (
        <div className="border-t border-state-failed-line bg-state-failed-bg py-2 pr-3 pl-[31px]">
          <p className="max-w-text whitespace-pre-wrap break-words font-medium text-state-failed-fg">
            <Marked text={firstLine(words) ?? "No result came back"} find={find} />
          </p>
          {restOf(words) !== "" && (
            <p className="max-w-text whitespace-pre-wrap break-words text-muted">
              <Marked text={restOf(words).slice(0, 4_000)} find={find} />
            </p>
          )}
        </div>
      )}
      {hasArgs && !isRunning && (
        <Fold
          name="Arguments"
          value={args}
          find={find}
          isOpenAtFirst={tone !== "failed"}
          fileName={`${call.name}-arguments`}
        />
      )}
      {result !== undefined &&
        !isRunning &&
        !isComing &&
        !(tone === "failed" && typeof result === "string") && (
          <Fold
            name="Result"
            value={result}
            find={find}
            isOpenAtFirst={false}
            fileName={`${call.name}-result`}
          />
        )}
      {call.approval !== null && <ApprovalNote approval={call.approval} />}
    </article>
  );
}

function Head({ call, find, actions }: Props) {
  const { tone } = call;
  const word = tone === "stopped" ? "stopped" : describeState(toolCallStates, call.state).word;
  return (
    <header className="flex min-h-8 items-center gap-2 py-1 pr-1.5 pl-3">
      <StateShape tone={tone} {...(tone === "done" && { label: word })} />
      <span
        className="shrink-0 truncate text-mono font-semibold max-sm:min-w-0 max-sm:shrink"
        title={shownName(call.name)}
      >
        <Marked text={shownName(call.name)} find={find} />
      </span>
      {call.server !== null && (
        <span className="truncate text-muted text-secondary">
          <Marked text={shownName(call.server)} find={find} />
        </span>
      )}
      {tone === "running" && call.args != null && (
        <>
          <ChevronRight className="text-muted max-sm:hidden" />
          <span className="min-w-0 truncate text-muted text-secondary max-sm:hidden">
            {preview(call.args)}
          </span>
        </>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-2">
        <span className="text-muted text-secondary">
          <Took span={call.span} isTicking={tone === "running"} />
        </span>
        {tone !== "done" && <span className={cx("text-secondary", toneWord[tone])}>{word}</span>}
        {actions}
      </span>
    </header>
  );
}

type FoldProps = { name: string; value: unknown; find: Find; isOpenAtFirst: boolean; fileName: string };

/** Arguments or a result: folded to one line that says what is inside, open with all of it. */
function Fold({ name, value, find, isOpenAtFirst, fileName }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  // "Next match" opens what the hit is in.
  const isForced = find.isCurrent && find.text !== "" && hasHit(value, find.text);
  const isShown = isOpen || isForced;
  return (
    <div
      className={cx(
        "flex items-start border-t pr-1.5",
        isShown && "bg-surface-sunken max-sm:flex-wrap max-sm:pb-2",
      )}
    >
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setOpen(!isShown)}
        className={cx(
          "focus-inset flex h-control min-w-0 items-center gap-2 rounded-tag pr-1 pl-3 text-left text-secondary",
          isShown ? "shrink-0 max-sm:flex-1 sm:w-[112px]" : "flex-1",
        )}
      >
        <ChevronRight className={cx("text-muted", isShown && "rotate-90")} />
        <span className={isShown ? "text-muted" : "font-medium"}>{name}</span>
        {!isShown && (
          <>
            <span className="shrink-0 text-muted">{sizeWords(value)}</span>
            <span className="ml-auto truncate text-faint max-sm:hidden">{preview(value)}</span>
          </>
        )}
      </button>
      {isShown && (
        <>
          <figure
            aria-label={name}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one scrolls by itself, also with the arrow keys
            tabIndex={0}
            className="focus-inset max-h-[420px] min-w-0 flex-1 overflow-y-auto py-[7px] pr-2 max-sm:order-last max-sm:basis-full max-sm:px-3 max-sm:py-0"
          >
            <JsonView value={value} label={name} find={find} />
          </figure>
          <span className="py-[3px]">
            <JsonActions value={value} what={name.toLowerCase()} fileName={`${fileName}${endingOf(value)}`} />
          </span>
        </>
      )}
    </div>
  );
}

const endingOf = (value: unknown): string => (typeof value === "string" ? ".txt" : ".json");

function hasHit(value: unknown, text: string): boolean {
  return textOf(value).toLowerCase().includes(text.toLowerCase());
}

/** "3 items, 18.4 kB"; a short value says itself. */
function sizeWords(value: unknown): string {
  if (value === null || typeof value === "number" || typeof value === "boolean") return "";
  const { characters, isWhole } = measure(value, 5_000);
  if (characters < 200) return kindWord(value);
  return `${kindWord(value)}, ${isWhole ? "" : "over "}${formatSize(characters)}`;
}

const firstLine = (words: string | null): string | null => words?.split("\n", 1)[0]?.slice(0, 300) ?? null;
const restOf = (words: string | null): string => words?.slice(firstLine(words)?.length ?? 0).trim() ?? "";
