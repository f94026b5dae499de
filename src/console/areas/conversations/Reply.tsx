import Square from "lucide-react/icons/square";
import { useEffect, useEffectEvent, useRef } from "react";
import { isSurelyNot } from "../../api/describe-error.ts";
import { useTextDraft } from "../../lib/drafts/useDraft.ts";
import { NotDone } from "../../lib/failure/Failure.tsx";
import { shownName } from "../../lib/shownName.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Notice } from "../../ui/Notice.tsx";
import { StateShape } from "../../ui/State.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { Composer, NotToThem, type Offering, SendError, StarterPrompts, unsureTitle } from "./Composer.tsx";
import type { StopTurn } from "./mutations.ts";
import { sendProblem, useSend } from "./mutations.ts";
import { type Queued, type QueuedState, stateOfQueued, useOutbox } from "./outbox.ts";
import type { ConversationFacts } from "./useConversation.ts";
import { useUnanswered } from "./useUnanswered.ts";

type Props = {
  facts: ConversationFacts;
  agentId: string;
  interactionId: string;
  agent: string;
  /** What the agent is, as far as it was read: the built-in model is spoken to by forms. */
  offered: Offering | undefined;
  /** How the turn that goes on can be stopped; null where it cannot. */
  stop: StopTurn | null;
  /** The role that the person lacks to write here. */
  missing: string | undefined;
  /** The service has taken this message. */
  onSent: (message: string) => void;
};

/** Where a conversation goes on: the field, and above it what waits for the end of the turn. */
export function Reply({ facts, agentId, interactionId, agent, offered, stop, missing, onSent }: Props) {
  const { text, setText, beginSend, isKept } = useTextDraft(`message ${interactionId}`);
  const { send, isSending, error, reset } = useSend();
  const { outbox, waiting } = useOutbox();
  const queued = waiting.get(interactionId) ?? [];
  const field = useRef<HTMLTextAreaElement>(null);
  const { isMoving, known } = facts;
  // Whose it is, is the conversation's own: what the person is signed in as says nothing of one from elsewhere.
  const projectId = known?.projectId ?? null;

  const turns = facts.conversation.turns.length;
  const { unanswered, note, forget } = useUnanswered(interactionId);
  const submit = async (message: string) => {
    const settle = beginSend(message);
    note({ message, turns });
    const sending = { agentId, agentName: agent, message, interactionId, projectId };
    try {
      const id = await send(sending);
      if (id === null) return;
      settle();
      forget();
      onSent(message);
    } catch (error) {
      // Said over the field; what was typed stays.
      if (isSurelyNot(error)) forget();
    }
  };
  const lost = isSending ? null : unanswered;
  // The service shows its turn, so that it has come: left in the field it would be sent again.
  const hasCome = lost !== null && turns > lost.turns && facts.askedText === lost.message;
  // With the core alone nothing of a turn is shown before it ends.
  const maybeThis =
    isMoving && !facts.isLive
      ? "The agent is working, maybe on this message: wait for its reply before you send it again."
      : "";
  const settleCome = useEffectEvent(() => {
    if (lost !== null) beginSend(lost.message)();
    forget();
    reset();
  });
  useEffect(() => {
    if (hasCome) settleCome();
  }, [hasCome]);

  const edit = async (one: Queued) => {
    field.current?.focus();
    if (!(await outbox.takeBack(interactionId, one.id))) return;
    const typed = field.current?.value ?? text;
    setText(typed.trim() === "" ? one.text : `${one.text}\n\n${typed}`);
  };

  const say = (message: string) => {
    if (!isMoving) void submit(message);
    else {
      void outbox.add(interactionId, { text: message, agentId, agentName: agent, projectId });
      beginSend(message)();
    }
  };

  const place = "shrink-0 border-t pt-2.5 pr-5 pb-3 pl-edge-left max-sm:pr-edge-left sm:pl-[136px]";
  if (missing !== undefined)
    return (
      <div className={place}>
        <NotToThem action="Reply" missing={missing} />
      </div>
    );
  return (
    <div className={place}>
      {queued.length > 0 && (
        <WaitingMessages
          queued={queued}
          isMoving={isMoving}
          onEdit={(one) => void edit(one)}
          onCancel={(one) => void outbox.takeBack(interactionId, one.id)}
          onSendNow={(one) => void outbox.ask(interactionId, one.id)}
        />
      )}
      <StarterPrompts
        agent={offered}
        name={agent}
        isOngoing
        action={isMoving ? "Queue message" : "Send"}
        onPick={setText}
        onSend={say}
      />
      <Composer
        label={`Message ${shownName(agent)}`}
        text={text}
        fieldRef={field}
        onText={(typed) => {
          if (error !== null) reset();
          setText(typed);
        }}
        onSend={say}
        isSending={isSending}
        isPrimary={!isMoving}
        extra={
          stop && (
            <Button
              size="small"
              icon={<Square />}
              title="Stop turn"
              loading={stop.isRequested}
              onClick={stop.ask}
            >
              {stop.isRequested ? "Stop requested…" : "Stop"}
            </Button>
          )
        }
        action={isMoving ? "Queue message" : "Send"}
        note={
          <>
            {isMoving && (
              <>
                <span className="max-sm:hidden">
                  {facts.state === "approval_required" ? "A call waits for approval" : "The agent is working"}
                  . Your message queues
                </span>
                <span className="sm:hidden">Queues</span> as number {queued.length + 1}
              </>
            )}
            {!isMoving && !isKept && (
              <span className="max-sm:hidden">Enter to send, Shift+Enter for a new line</span>
            )}
            {isKept && (isMoving ? ". Draft saved" : "Draft saved")}
          </>
        }
        error={
          error !== null ? (
            <SendError error={error} remark={maybeThis} />
          ) : lost !== null && lost.message === text ? (
            <Notice kind="waits" look="box" title={unsureTitle}>
              The page was left before an answer came. Your message is still here. {maybeThis}
            </Notice>
          ) : (
            stop?.error && (
              <NotDone error={stop.error} title="The turn could not be stopped">
                {sendProblem(stop.error)}
              </NotDone>
            )
          )
        }
      />
    </div>
  );
}

type OutboxProps = {
  queued: readonly Queued[];
  /** The agent works, so that there is an end of the turn to wait for. */
  isMoving: boolean;
  onEdit: (one: Queued) => void;
  onCancel: (one: Queued) => void;
  onSendNow: (one: Queued) => void;
};

/** Messages that wait for the end of the turn, in their order. They go by themselves, also when this page is left. */
function WaitingMessages({ queued, isMoving, onEdit, onCancel, onSendNow }: OutboxProps) {
  const now = useNow(true, 10_000);
  return (
    <ul aria-label="Queued messages" className="pb-2">
      {queued.map((one, at) => {
        const state = stateOfQueued(one, now);
        const isHeld = state === "waits" ? !isMoving : state !== "sending";
        return (
          <li key={one.id}>
            <div className="flex min-h-7 items-center gap-2.5">
              <StateShape tone={state === "sending" ? "running" : "waiting"} />
              <span className="min-w-0 flex-1 truncate" title={one.text.slice(0, 1_000)}>
                {one.text}
              </span>
              <span className={cx("shrink-0 text-muted text-secondary", !isHeld && "max-sm:hidden")}>
                {labels[state] ??
                  (isHeld ? "held" : at === 0 ? "sends when the turn ends" : `number ${at + 1}`)}
              </span>
              {state !== "sending" && (
                <>
                  {isHeld && at === 0 && <TextButton name="Send now" onClick={() => onSendNow(one)} />}
                  <TextButton name="Edit" onClick={() => onEdit(one)} />
                  <TextButton name="Cancel" onClick={() => onCancel(one)} />
                </>
              )}
            </div>
            {one.problem !== null && (
              <Notice kind="failed" look="box" title="Message not sent">
                {one.problem}
              </Notice>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const labels: Readonly<Record<QueuedState, string | null>> = {
  waits: null,
  sending: "sending",
  unclear: "may have been sent",
  refused: "not sent",
  old: "more than a day old",
};

function TextButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" className={cx(linkClass, "text-secondary")} onClick={onClick}>
      {name}
    </button>
  );
}
