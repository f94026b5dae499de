import { describeState, interactionStates, sessionStateOf, sessionStates } from "../../../contract/states.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { interactionQueries } from "./queries.ts";

/**
 * How a conversation's turn stands. Where the service has live messages they are polled, and the core is asked only for
 * what they do not tell (why a turn failed); else the core alone, which shows messages at the end of a turn.
 */
export function useTurn(interactionId: string) {
  const api = useApi();
  const canLive = useCan("live_messages");
  const live = useRead({ ...interactionQueries.session(api, interactionId), enabled: canLive });
  const session = canLive ? live.data?.data.session : undefined;
  const hasLiveFailed = live.isError && live.data === undefined;
  const needsCore = !canLive || hasLiveFailed || session?.state === "failed";
  const core = useRead({ ...interactionQueries.status(api, interactionId), enabled: needsCore });
  const status = needsCore ? core.data?.data : undefined;
  const isLive = session != null;
  const state = sessionStateOf(session) ?? status?.state ?? null;
  const described = describeState(isLive ? sessionStates : interactionStates, state);
  return {
    live,
    core,
    session,
    status,
    needsCore,
    /** Messages appear while the agent works. */
    isLive,
    state,
    described,
    isMoving: state !== null && !described.terminal,
  };
}
