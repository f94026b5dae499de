import { type ReactNode, useMemo } from "react";
import type { Tone } from "../../../contract/states.ts";
import { isConflict } from "../../api/errors.ts";
import { shownName } from "../../lib/shownName.ts";
import { placeWords } from "../../lib/workers/place-words.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/State.tsx";
import { Elapsed } from "./ConversationState.tsx";
import { Said } from "./commands.tsx";
import { errorWords } from "./message-rows.ts";
import { sendProblem, useSend } from "./mutations.ts";
import { Band } from "./PartRow.tsx";
import type { ConversationFacts } from "./useConversation.ts";
import type { Tail } from "./useConversationScroll.ts";

/** A message that was sent from this page, and how many turns there were before it. */
export interface SentMessage {
  readonly text: string;
  readonly turns: number;
}

type Props = {
  facts: ConversationFacts;
  agent: string;
  /** The message that was sent from this page last. */
  sent: SentMessage | null;
  agentId: string;
  interactionId: string;
  /** Whether the agent can still be asked anything. */
  takesMessages: boolean;
  isStopRequested: boolean;
  onSent: (message: string) => void;
};

/** What stands under the messages: the message that they do not show yet, that the agent works, why the turn failed. */
export function useTail(props: Props): readonly Tail[] {
  const { facts, agent, sent, agentId, interactionId, takesMessages, isStopRequested, onSent } = props;
  const { conversation, isMoving, isLive, described, turnBeganAt, errorMessage, isReasonPending, known } =
    facts;
  const { hasNoAnswer, askedId, askedText, placesBefore } = facts;
  const projectId = known?.projectId ?? null;
  const last = conversation.rows.at(-1);
  const isAsked = isMoving && !isLive;
  const asked = isAsked
    ? (known?.asked?.text ?? sent?.text ?? null)
    : isMoving
      ? notShownYet(sent, facts)
      : null;
  const isCalling = isLive && last?.body.kind === "call" && isOpen(last.body.call.tone);
  const isAgentLast = isLive && last?.role === "agent" && asked === null;
  const { word, tone, known: isKnown } = described;
  const isStopped = tone === "stopped";
  const unsaid = isStopped
    ? "The turn was stopped."
    : isReasonPending
      ? "The turn failed"
      : "The turn failed. The service gave no reason.";
  // One error is said once: where the turn ends with it, it stands in the messages already.
  const isSaid = last?.body.kind === "error" && sayTheSame(errorWords(last.body.error), errorMessage);
  return useMemo(() => {
    const tail: Tail[] = [];
    if (asked !== null) {
      tail.push({
        key: "asked",
        node: (
          <Band isPerson isFirst isLast>
            <Gutter name="You" note="sent" />
            <div className="max-w-text">
              <Said text={asked} />
            </div>
          </Band>
        ),
      });
    }
    if (isMoving && !isCalling) {
      tail.push({
        key: "working",
        node: (
          <Band isPerson={false} isFirst={!isAgentLast} isLast>
            {isAgentLast ? <span className="max-sm:hidden" /> : <Gutter name={agent} note={null} />}
            <p className="flex items-center gap-2 text-muted">
              <StateShape tone={isStopRequested ? "stopping" : tone} />
              <span>
                {isStopRequested && "Stop requested…"}
                {!isStopRequested && placesBefore !== null && placeWords(placesBefore)}
                {!isStopRequested && placesBefore === null && (
                  <>
                    {isKnown ? capital(word) : <code>{word}</code>}
                    {turnBeganAt !== null && (
                      <>
                        {" "}
                        for <Elapsed since={turnBeganAt} />
                      </>
                    )}
                  </>
                )}
                {!isLive && ". The reply appears when the turn ends."}
              </span>
            </p>
          </Band>
        ),
      });
    }
    if (hasNoAnswer) {
      tail.push({
        key: "failed",
        node: (
          <Band isPerson={false} isFirst={false} isLast>
            <span className="max-sm:hidden" />
            <TurnEnd
              isStopped={isStopped}
              reason={isSaid ? null : errorMessage || unsaid}
              asked={takesMessages ? askedText : null}
              {...{ askedId, agentId, agent, interactionId, projectId, onSent }}
            />
          </Band>
        ),
      });
    }
    return tail;
  }, [
    asked,
    isMoving,
    isCalling,
    isAgentLast,
    isLive,
    placesBefore,
    hasNoAnswer,
    isStopped,
    errorMessage,
    isSaid,
    unsaid,
    turnBeganAt,
    agent,
    isStopRequested,
    takesMessages,
    askedText,
    askedId,
    agentId,
    interactionId,
    projectId,
    onSent,
    word,
    tone,
    isKnown,
  ]);
}

/** It runs, or people are asked: the call itself says so. */
const isOpen = (tone: Tone): boolean => tone === "running" || tone === "waiting";

const sayTheSame = (a: string | null, b: string | null | undefined): boolean =>
  a !== null && a.trim() === (b ?? "").trim();

/** The message sent from here, until the service's own messages have it. */
function notShownYet(sent: SentMessage | null, { conversation }: ConversationFacts): string | null {
  return sent !== null && conversation.turns.length <= sent.turns ? sent.text : null;
}

function Gutter({ name, note }: { name: string; note: ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline gap-2 sm:block">
      <bdi className="block truncate font-semibold">{shownName(name)}</bdi>
      {note !== null && <span className="text-muted text-secondary">{note}</span>}
    </div>
  );
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

type TurnEndProps = {
  isStopped: boolean;
  /** Why it ended, where the messages do not say so already. */
  reason: string | null;
  /** What was asked, to be asked again; null where that is not known, or nothing can be asked any more. */
  asked: string | null;
  /** The id of that message; null where the service gives none. */
  askedId: string | null;
  agentId: string;
  agent: string;
  interactionId: string;
  projectId: string | null;
  onSent: (message: string) => void;
};

/** Why the last turn came to no answer, and the way to ask for it again. */
function TurnEnd(props: TurnEndProps) {
  const { isStopped, reason, asked, askedId, agentId, agent, interactionId, projectId, onSent } = props;
  const { send, isSending, error } = useSend();
  const retry = async (message: string) => {
    // The same for every tab: where the service keeps to it, a turn is asked for again once, whoever clicks.
    const key = askedId === null ? undefined : `retry-${encodeURIComponent(askedId)}`.slice(0, 255);
    try {
      const id = await send({ agentId, agentName: agent, message, interactionId, projectId }, key);
      if (id !== null) onSent(message);
    } catch {
      // Said under the button.
    }
  };
  return (
    <div
      role="alert"
      className={cx(
        reason !== null && "rounded-control border px-3 py-2",
        reason !== null &&
          (isStopped
            ? "border-state-stopped-line bg-state-stopped-bg"
            : "border-state-failed-line bg-state-failed-bg"),
      )}
    >
      {reason !== null && (
        <p
          className={cx(
            "max-w-text whitespace-pre-wrap break-words font-semibold",
            isStopped ? "text-state-stopped-fg" : "text-state-failed-fg",
          )}
        >
          {reason}
        </p>
      )}
      <p className="text-muted">
        {isStopped
          ? "What the agent has already done stays done."
          : "The agent stopped here. What it has already done stays done."}{" "}
        Send another message to continue{asked === null ? "." : ", or try again."}
      </p>
      {asked !== null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-2">
          <Button size="small" loading={isSending} onClick={() => void retry(asked)}>
            Try again
          </Button>
          {error !== null && (
            <span className="text-state-failed-fg">
              {isConflict(error)
                ? "The agent has already started another turn."
                : `Message not sent. ${sendProblem(error)}`}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
