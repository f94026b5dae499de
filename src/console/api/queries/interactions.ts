import { mutationOptions } from "@tanstack/react-query";
import { agentStatus, startAgent } from "../../../contract/interactions.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { describeState, interactionStates, sessionStates } from "../../../contract/states.ts";
import { type Api, ownerOf } from "../api.ts";
import { call } from "../client.ts";
import { ConsoleError } from "../errors.ts";
import { newId } from "../ids.ts";
import { watchList, watchRun } from "../poll.ts";
import { keyOf, readOptions } from "../read.ts";

const works = (state: string | null | undefined) => !describeState(interactionStates, state).terminal;
const sessionWorks = (state: string | null | undefined) => !describeState(sessionStates, state).terminal;

/** A message to an agent. */
export interface MessageToSend {
  readonly agentId: string;
  readonly message: string;
  /** The conversation that it continues; null starts a new one. */
  readonly interactionId: string | null;
  /** The team it belongs to; null: only to the person. */
  readonly projectId: string | null;
}

/** All reads about conversations. */
export const interactionQueries = {
  /** One conversation through the core: messages at the end of each turn. Polled while the agent works. */
  status: (api: Api, interactionId: string) =>
    readOptions(
      api,
      agentStatus,
      { params: { interaction_id: interactionId }, query: ownerOf(api) },
      // The interface gives no time of the end, so one more read always follows it.
      { policy: watchRun, moving: (data) => works(data.state), endedAt: () => null },
    ),

  /** The same with its messages so far (public, `can("live_messages")`). */
  session: (api: Api, interactionId: string) =>
    readOptions(
      api,
      getSession,
      { params: { session_id: interactionId } },
      { policy: watchRun, moving: (data) => sessionWorks(data.session?.state), endedAt: () => null },
    ),

  /** The conversations with an agent, newest first (public, `can("sessions")`). */
  ofAgent: (api: Api, agentId: string, filters: { readonly search?: string; readonly state?: string } = {}) =>
    readOptions(
      api,
      listSessions,
      { params: { agent_id: agentId }, query: { ...filters, page_size: 50 } },
      { policy: watchList, moving: (data) => (data.sessions ?? []).some(({ state }) => sessionWorks(state)) },
    ),
};

/** All acts on conversations. */
export const interactionMutations = {
  /** Sends a message; the result is the conversation's id. A 409 means that the agent still works on it. */
  send: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, startAgent)],
      mutationFn: async ({ agentId, message, interactionId, projectId }: MessageToSend): Promise<string> => {
        const { user_id } = ownerOf(api);
        const { data, requestId } = await call(
          api,
          startAgent,
          {
            body: {
              gummie_id: agentId,
              message,
              ...(user_id ? { user_id } : {}),
              ...(projectId ? { project_id: projectId } : {}),
              ...(interactionId ? { interaction_id: interactionId } : {}),
            },
          },
          { idempotencyKey: newId() },
        );
        if (data.interaction_id) return data.interaction_id;
        throw new ConsoleError({ kind: "contract", path: "interaction_id", requestId }, startAgent.name);
      },
      onSuccess: async (interactionId, _message, _made, { client }) => {
        api.polling.acted();
        const { status, session } = interactionQueries;
        await Promise.all([
          client.invalidateQueries({ queryKey: status(api, interactionId).queryKey }),
          client.invalidateQueries({ queryKey: session(api, interactionId).queryKey }),
          client.invalidateQueries({ queryKey: keyOf(api, listSessions) }),
        ]);
      },
    }),
};
