import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { message } from "./messages.ts";
import { openEnum } from "./open-enum.ts";
import { commaList, count, nextCursor, page, person, text, utcTime } from "./wire.ts";

/** The state of a session; `approval_required`: its turn goes on when people have answered what it asked (`inbox`). */
export const sessionState = openEnum([
  "idle",
  "queued",
  "processing",
  "approval_required",
  "completed",
  "failed",
]);

/** What a conversation cost so far. Tokens and credits; a service may send more figures. */
export const usage = z.looseObject({
  input_tokens: z.nullish(z.number()),
  output_tokens: z.nullish(z.number()),
  credit_cost: z.nullish(z.number()),
});

/** A conversation in a list. Its id is the interaction's id. */
export const sessionSummary = z.object({
  id: z.string(),
  agent_id: z.string(),
  agent_name: z.nullable(z.string()),
  /** The start of its first message, unless somebody named it. */
  name: z.nullable(z.string()),
  type: openEnum(["api", "console", "web", "slack"]),
  state: sessionState,
  /** Own: somebody stopped its last turn, which is why that is `failed`. */
  stopped: z.optional(z.boolean()),
  created_at: utcTime,
  creator: z.nullable(person),
  usage: z.optional(z.nullable(usage)),
});
export type SessionSummary = z.output<typeof sessionSummary>;

const otherSession = z.object({ id: z.string(), agent_id: z.string(), name: z.nullable(z.string()) });

/** A conversation with its messages so far, also while the agent works. */
export const session = z.object({
  ...sessionSummary.shape,
  messages: z.array(message),
  /**
   * Own (`conversation_copy`): how many of its turns were taken over from another conversation, and that one with the message
   * from before which it went on; both null where the caller may not read it or it is gone. Null: it is no copy.
   */
  copy_of: z.nullish(
    z.object({ turns: count, session: z.nullable(otherSession), message_id: z.nullable(z.string()) }),
  ),
  /** Own (`conversation_copy`): the ten newest copies of it that the caller may read. */
  copies: z.optional(z.array(z.object({ ...otherSession.shape, turns: count, created_at: utcTime }))),
  /** Own: whether it has the mark that keeps it from retention. */
  kept: z.optional(z.boolean()),
  /** Own: where its turn waits for a free place of a worker: how many probably get one before it. Null where it does not. */
  places_before: z.optional(z.nullable(count)),
});
export type Session = z.output<typeof session>;

/** Public: the conversations with one agent that the caller may see, newest first. */
export const listSessions = endpoint({
  name: "listSessions",
  tier: "public",
  capability: "sessions",
  section: "History, teams, sessions",
  summary: "List conversations with an agent",
  method: "GET",
  path: "/agents/{agent_id}/sessions",
  kind: "read",
  params: z.object({ agent_id: text }),
  query: z.object({
    /** Case-insensitive part of the name or of a message. */
    search: z.optional(text),
    /** One or several states, separated by commas; also `stopped` (own), of those that are `failed`. */
    state: z.optional(commaList),
    type: z.optional(text),
    ...page,
  }),
  response: z.object({ sessions: z.array(sessionSummary), next_cursor: nextCursor }),
  conditional: true,
  errors: ["not_found", "invalid_page_size", "invalid_cursor"],
});

/** Public: one conversation with its messages so far, which the core shows only at the end of a turn. */
export const getSession = endpoint({
  name: "getSession",
  tier: "public",
  capability: "live_messages",
  section: "Agents and interactions",
  summary: "Get a conversation with its messages so far",
  method: "GET",
  path: "/sessions/{session_id}",
  kind: "read",
  params: z.object({ session_id: text }),
  response: z.object({ session }),
  conditional: true,
  errors: ["not_found"],
});
