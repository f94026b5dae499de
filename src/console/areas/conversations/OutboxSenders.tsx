import { useParams } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { isConflict, isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { shownName } from "../../lib/shownName.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { sendProblem, useSend } from "./mutations.ts";
import type { Outbox, Queued } from "./outbox.ts";
import { type QueuedState, stateOfQueued, useOutbox } from "./outbox.ts";
import { useTurn } from "./queries.ts";

/** Sends what waits for the end of a turn, whatever page is open; says so where a message waits for its writer. */
export default function OutboxSenders() {
  const { outbox, waiting } = useOutbox();
  return [...waiting].map(([interactionId, [first]]) =>
    first ? (
      <OutboxSender key={interactionId} outbox={outbox} interactionId={interactionId} first={first} />
    ) : null,
  );
}

type Props = { outbox: Outbox; interactionId: string; first: Queued };

function OutboxSender({ outbox, interactionId, first }: Props) {
  const { conversations } = useApi();
  const turn = useTurn(interactionId);
  const { send } = useSend();
  const now = useNow(true, 10_000);
  const { interactionId: open } = useParams({ strict: false });
  // Somebody else's turn came first: the message waits for the end of that one, so it has to be seen.
  const [refused, setRefused] = useState<string | null>(null);
  if (refused !== null && turn.isMoving) setRefused(null);

  const known = conversations.find(interactionId);
  const agentId = first.agentId ?? turn.session?.agent_id ?? turn.status?.gummie_id ?? known?.agentId ?? null;
  const state = stateOfQueued(first, now);
  const isStopped = turn.described.tone === "stopped";
  const hasFailed = turn.described.tone === "failed" || isStopped;
  const hasEnded = turn.state !== null && turn.described.terminal && !hasFailed;
  const isDue = state === "waits" && first.id !== refused && agentId !== null && (first.isAsked || hasEnded);

  const deliver = useEffectEvent(async ({ id, text, agentName, projectId }: Queued) => {
    if (agentId === null || !(await outbox.claim(interactionId, id))) return;
    try {
      const sent = await send({ agentId, agentName, message: text, interactionId, projectId }, id);
      if (sent === null) await outbox.release(interactionId, id, null);
      else await outbox.remove(interactionId, id);
    } catch (error) {
      const isBusy = isConflict(error);
      if (isBusy) setRefused(id);
      await outbox.release(interactionId, id, isBusy ? null : sendProblem(error));
    }
  });
  useEffect(() => {
    if (isDue) void deliver(first);
  }, [isDue, first]);

  const why = isNotFound(turn.live.error ?? turn.core.error)
    ? "the conversation no longer exists"
    : hasFailed && state === "waits"
      ? `the turn before it ${isStopped ? "was stopped" : "failed"}`
      : whyHeld[state];
  if (why === null || open === interactionId || agentId === null) return null;
  return (
    <Notice
      kind="waits"
      title={
        <>
          A message to <bdi>{shownName(first.agentName ?? turn.session?.agent_name ?? agentId)}</bdi> needs
          you: {why}
        </>
      }
      action={
        <LinkButton
          to="/agents/$agentId/conversations/$interactionId"
          params={{ agentId, interactionId }}
          size="small"
        >
          Open conversation
        </LinkButton>
      }
    >
      <span className="line-clamp-2 break-words">{first.text.slice(0, 300)}</span>
    </Notice>
  );
}

/** Why a message does not go by itself; null where it does. */
const whyHeld: Readonly<Record<QueuedState, string | null>> = {
  waits: null,
  sending: null,
  unclear: "it may have been sent",
  refused: "it was not accepted",
  old: "it is more than a day old",
};
