import { mutationOptions } from "@tanstack/react-query";
import type { Received } from "../../../contract/define.ts";
import { agentStatus, startAgent } from "../../../contract/interactions.ts";
import { getSession, listSessions, type SessionSummary } from "../../../contract/sessions.ts";
import { interactionStates, isTerminal, sessionStates } from "../../../contract/states.ts";
import { call, type DataOf } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { ConsoleError, isPassing } from "../../api/errors.ts";
import { type PageForm, paged } from "../../api/paged.ts";
import { type PollPolicy, slow, watchList, watchRun } from "../../api/poll.ts";
import { keyOf, readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api/api.ts";

/** A turn: closely while the agent works, then a look now and then, because others may continue the conversation. */
export const watchTurn: PollPolicy = (state, clock) =>
  state.settled ? slow(state, clock) : watchRun(state, clock);

/** A message to an agent. */
export interface MessageToSend {
  /** Unguessable, and the same for each try of this message: the `Idempotency-Key`. */
  readonly key: string;
  readonly agentId: string;
  readonly agentName: string | null;
  readonly message: string;
  /** The conversation that it continues; null starts a new one. */
  readonly interactionId: string | null;
  /** The team it belongs to; null: only to the person, or, where it goes on, not known here: the service knows. */
  readonly projectId: string | null;
}

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

const sessionPage: PageForm<typeof listSessions, SessionIn> = {
  pageOf: ({ sessions, next_cursor }) => ({
    rows: (sessions ?? []).filter((one): one is SessionIn => Boolean(one?.id)),
    cursor: next_cursor || null,
  }),
  idOf: ({ id }) => id,
};

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

/** All acts on conversations. */
export const interactionMutations = {
  /**
   * Sends a message (§4.1); the result is the conversation's id. A new conversation is in the history before the call
   * goes out. A 409 means that the agent still works on it.
   */
  send: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, startAgent)],
      mutationFn: async (sending: MessageToSend): Promise<string> => {
        const { key, agentId, message, interactionId, projectId } = sending;
        const isNew = interactionId === null;
        if (isNew) await api.conversations.begin({ ...sending, id: key });
        else await api.conversations.asked(interactionId, message);
        try {
          const { user_id, project_id } = ownerOf(api);
          // §4.1: one of the two is required. A team's key without a user continues its own team's conversations alone.
          const team = projectId ?? (isNew || user_id ? null : project_id);
          const { data, requestId } = await call(
            api,
            startAgent,
            {
              body: {
                gummie_id: agentId,
                message,
                ...(user_id ? { user_id } : {}),
                ...(team ? { project_id: team } : {}),
                ...(isNew ? {} : { interaction_id: interactionId }),
              },
            },
            { idempotencyKey: key },
          );
          if (!data.interaction_id) {
            throw new ConsoleError({ kind: "contract", path: "interaction_id", requestId }, startAgent.name);
          }
          if (isNew) await api.conversations.started(key, data.interaction_id);
          return data.interaction_id;
        } catch (error) {
          const surely = error instanceof ConsoleError && error.kind === "http" && !isPassing(error);
          const said = error instanceof ConsoleError && error.failure.kind === "http" ? error.failure : null;
          if (isNew) await api.conversations.failed(key, surely, said?.message ?? null);
          throw error;
        }
      },
      // Also after a refusal: a 409 means that there is somebody else's turn to show.
      onSettled: async (_result, _error, _message, _made, { client }) => {
        api.polling.acted();
        await Promise.all(
          [agentStatus, getSession, listSessions].map((endpoint) =>
            client.invalidateQueries({ queryKey: keyOf(api, endpoint) }),
          ),
        );
      },
    }),
};
