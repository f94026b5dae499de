import { useEffect, useRef } from "react";
import { isConflict } from "../../api/errors.ts";
import { Composer } from "../../components/conversation/Composer.tsx";
import { SendError } from "../../components/conversation/SendError.tsx";
import { shownName } from "../../components/conversation/shownName.ts";
import type { ConversationFacts } from "../../components/conversation/useConversation.ts";
import { useDraft } from "../../components/conversation/useDraft.ts";
import { type Queued, useOutbox } from "../../components/conversation/useOutbox.ts";
import { useSend } from "../../components/conversation/useSend.ts";
import { Outbox } from "./Outbox.tsx";

type Props = {
  facts: ConversationFacts;
  agentId: string;
  interactionId: string;
  agent: string;
  /** The service has taken this message. */
  onSent: (message: string) => void;
};

/** Where a conversation goes on: the field, and above it what waits for the end of the turn. */
export function Reply({ facts, agentId, interactionId, agent, onSent }: Props) {
  const { text, setText, isKept } = useDraft(`message ${interactionId}`);
  const { send, isSending, error, reset } = useSend();
  const outbox = useOutbox(interactionId);
  const field = useRef<HTMLTextAreaElement>(null);
  const { isMoving, described, known } = facts;
  const hasFailed = described.tone === "failed";
  // Whose it is, is the conversation's own: what the person is signed in as says nothing of one from elsewhere.
  const projectId = known?.projectId ?? null;

  const submit = async (message: string, queued?: Queued) => {
    const sending = { agentId, agentName: agent, message, interactionId, projectId };
    try {
      const id = await send(sending, queued?.id);
      if (id === null) return;
      if (queued) outbox.remove(queued.id);
      else setText("");
      onSent(message);
    } catch (refusal) {
      // Said over the field; what was typed stays. What waits goes on waiting when somebody else's turn is first.
      if (queued && isConflict(refusal)) reset();
    }
  };

  const next = outbox.queued[0];
  const isDue =
    next !== undefined && facts.isRead && described.terminal && !hasFailed && !isSending && error === null;
  const due = useRef(submit);
  useEffect(() => {
    due.current = submit;
  });
  useEffect(() => {
    if (isDue && next) void due.current(next.text, next);
  }, [isDue, next]);

  return (
    <div className="shrink-0 border-t pt-2.5 pr-5 pb-3 pl-edge-left max-sm:pr-edge-left sm:pl-[136px]">
      {outbox.queued.length > 0 && (
        <Outbox
          queued={outbox.queued}
          isHeld={!isMoving}
          onEdit={(one) => {
            outbox.remove(one.id);
            setText(text.trim() === "" ? one.text : `${one.text}\n\n${text}`);
            field.current?.focus();
          }}
          onCancel={(one) => outbox.remove(one.id)}
          onSendNow={(one) => {
            reset();
            void submit(one.text, one);
          }}
        />
      )}
      <Composer
        label={`Write to ${shownName(agent)}`}
        text={text}
        fieldRef={field}
        onText={(typed) => {
          if (error !== null) reset();
          setText(typed);
        }}
        onSend={(message) => {
          if (!isMoving) void submit(message);
          else {
            outbox.add(message);
            setText("");
          }
        }}
        isSending={isSending}
        isPrimary={!isMoving}
        action={isMoving ? "Queue message" : "Send"}
        note={
          <>
            {isMoving && `The agent is working: this queues as number ${outbox.queued.length + 1}`}
            {!isMoving && !isKept && (
              <span className="max-sm:hidden">Enter sends, Shift and Enter make a new line</span>
            )}
            {isKept && (isMoving ? ". Draft kept" : "Draft kept")}
          </>
        }
        error={error !== null && <SendError error={error} />}
      />
    </div>
  );
}
