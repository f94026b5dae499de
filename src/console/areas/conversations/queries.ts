import type { Received } from "../../../contract/define.ts";
import { agentStatus } from "../../../contract/interactions.ts";
import { sessionStateOf } from "../../../contract/session-state.ts";
import { getSession, listSessions, type SessionSummary } from "../../../contract/sessions.ts";
import { describeState, interactionStates, isTerminal, sessionStates } from "../../../contract/states.ts";
import type { DataOf } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { paged, rowsIn } from "../../api/paged.ts";
import { type PollPolicy, slow, watchList, watchRun } from "../../api/poll.ts";
import { readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";

/** A turn: closely while the agent works, then a look now and then, because others may continue the conversation. */
const watchTurn: PollPolicy = (state, clock) => (state.settled ? slow(state, clock) : watchRun(state, clock));

/** Filters of an agent's conversations; all of them are the service's. */
export interface SessionFilters {
  /** Part of the name or of a message. */
  readonly search?: string;
  /** One or several states, separated by commas. */
  readonly state?: string;
}

const pageSize = 50;
const anyWorks = (data: DataOf<typeof listSessions>) =>
  (data.sessions ?? []).some((one) => one != null && !isTerminal(sessionStates, one.state));

/** A conversation of a list as it may really come; one without an id is left out. */
export type SessionIn = Received<SessionSummary> & { readonly id: string };

const sessionPage = rowsIn<typeof listSessions, SessionIn>("sessions", "id");

/**
 * The conversations with an agent, newest first, page by page (public, `can("sessions")`).
 * @param size of a page
 */
export const conversationPages = (api: Api, agentId: string, filters: SessionFilters = {}, size = pageSize) =>
  paged(
    api,
    listSessions,
    (page) => ({ params: { agent_id: agentId }, query: { ...filters, page_size: size, ...page } }),
    sessionPage,
    { policy: watchList, moving: anyWorks },
  );

/** All reads about conversations. */
export const interactionQueries = {
  /** One conversation through the core: messages at the end of each turn. Polled while the agent works. */
  status: (api: Api, interactionId: string) =>
    readOptions(
      api,
      agentStatus,
      { params: { interaction_id: interactionId }, query: ownerOf(api) },
      // The interface gives no time of the end, so one more read always follows it.
      {
        policy: watchTurn,
        moving: ({ state }) => !isTerminal(interactionStates, state),
        endedAt: () => null,
      },
    ),

  /** The same with its messages so far (public, `can("live_messages")`). */
  session: (api: Api, interactionId: string) =>
    readOptions(
      api,
      getSession,
      { params: { session_id: interactionId } },
      {
        policy: watchTurn,
        moving: ({ session }) => !isTerminal(sessionStates, session?.state),
        endedAt: () => null,
      },
    ),

  /** The newest conversations with an agent (public, `can("sessions")`). */
  ofAgent: (api: Api, agentId: string, filters: SessionFilters = {}, size = pageSize) =>
    conversationPages(api, agentId, filters, size).first,
};

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
