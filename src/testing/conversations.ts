import type { Interaction } from "../contract/interactions.ts";
import type { Message, MessagePart } from "../contract/messages.ts";
import type { Session } from "../contract/sessions.ts";

/** Things of conversations for tests, whole and valid. Content is invented; times are in UTC. */

const at = (minute: number) => `2026-11-20T08:${String(minute % 60).padStart(2, "0")}:00.000Z`;

export const aQuestion = (content: string, part: Partial<Message> = {}): Message => ({
  id: `q ${content}`,
  role: "user",
  timestamp: at(15),
  content,
  parts: [],
  ...part,
});

/** An answer in parts; a text alone is one text part. */
export const anAnswer = (parts: string | readonly MessagePart[], part: Partial<Message> = {}): Message => ({
  id: `a ${typeof parts === "string" ? parts.slice(0, 20) : JSON.stringify(parts).slice(0, 60)}`,
  role: "assistant",
  timestamp: at(16),
  content: null,
  parts: typeof parts === "string" ? [{ type: "text", text: parts }] : [...parts],
  ...part,
});

export const aCall = (name: string, state: string, args: unknown, result: unknown): MessagePart => ({
  type: "tool_invocation",
  id: `call ${name}`,
  toolCallId: `call ${name}`,
  toolName: name,
  toolCallState: state,
  result: { args, result },
});

/** `GET /sessions/{id}`: completed, one turn. */
export const aSession = (part: Partial<Session> = {}): { session: Session } => ({
  session: {
    id: "int_1",
    agent_id: "agent_clerk",
    agent_name: "Clerk",
    name: "Which berths are free?",
    type: "console",
    state: "completed",
    created_at: at(15),
    creator: { id: "user_ada", first_name: "Ada", last_name: "Lovelace", email: null },
    usage: null,
    messages: [aQuestion("Which berths are free?"), anAnswer("N4 and N9.")],
    ...part,
  },
});

/** `GET /agent_status/{id}`. */
export const aStatus = (part: Partial<Interaction> = {}): Interaction => ({
  interaction_id: "int_1",
  state: "COMPLETED",
  gummie_id: "agent_clerk",
  created_ts: "2026-11-20T08:15:00.000+00:00",
  response: "N4 and N9.",
  messages: [aQuestion("Which berths are free?"), anAnswer("N4 and N9.")],
  ...part,
});
