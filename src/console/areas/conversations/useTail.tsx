import { type ReactNode, useMemo } from "react";
import { shownName } from "../../lib/shownName.ts";
import { StateShape } from "../../ui/StateShape.tsx";
import type { Tail } from "./ConversationLog.tsx";
import { Elapsed } from "./ConversationState.tsx";
import { errorWords } from "./model.ts";
import { Band } from "./PartRow.tsx";
import { Said } from "./Said.tsx";
import { TurnEnd } from "./TurnEnd.tsx";
import type { ConversationFacts } from "./useConversation.ts";

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
  const { hasNoAnswer, askedId, askedText } = facts;
  const projectId = known?.projectId ?? null;
  const last = conversation.rows.at(-1);
  const isAsked = isMoving && !isLive;
  const asked = isAsked
    ? (known?.asked?.text ?? sent?.text ?? null)
    : isMoving
      ? notShownYet(sent, facts)
      : null;
  const isCalling = isLive && last?.body.kind === "call" && last.body.call.tone === "running";
  const isAgentLast = isLive && last?.role === "agent" && asked === null;
  const { word, tone, known: isKnown } = described;
  const isStopped = tone === "stopped";
  const unsaid = isStopped
    ? "The turn was stopped."
    : isReasonPending
      ? "The turn failed"
      : "The turn failed, and the service does not say why.";
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
                {!isStopRequested && (isKnown ? capital(word) : <code>{word}</code>)}
                {turnBeganAt !== null && !isStopRequested && (
                  <>
                    {" "}
                    for <Elapsed since={turnBeganAt} />
                  </>
                )}
                {!isLive && ". This service shows what the agent says when its turn ends."}
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
