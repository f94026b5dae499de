import type { Kysely } from "kysely";
import type { ModelMessage, ToolAnswer, ToolCall } from "../models/types.ts";
import type { Database } from "../store/schema.ts";
import { isRecord } from "./metadata.ts";
import type { StoredPart } from "./parts.ts";

/** One message as it is stored. */
export interface StoredMessage {
  readonly seq: number;
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string | null;
  readonly createdAt: Date;
  readonly parts: readonly StoredPart[];
}

/** The messages of a conversation in order, each with its parts. */
export async function readMessages(db: Kysely<Database>, interactionId: string): Promise<StoredMessage[]> {
  const rows = await db
    .selectFrom("messages")
    .selectAll()
    .where("interaction_id", "=", interactionId)
    .orderBy("seq")
    .execute();
  const parts = await db
    .selectFrom("message_parts")
    .select(["message_seq", "part"])
    .where("interaction_id", "=", interactionId)
    .orderBy("message_seq")
    .orderBy("seq")
    .execute();
  const bySeq = new Map<number, StoredPart[]>();
  for (const { message_seq, part } of parts) {
    const list = bySeq.get(message_seq) ?? [];
    // Only `conversation-writes.ts` writes them, and it writes nothing else.
    list.push(part as StoredPart);
    bySeq.set(message_seq, list);
  }
  return rows.map(({ seq, id, role, content, created_at }) => {
    return { seq, id, role, content, createdAt: created_at, parts: bySeq.get(seq) ?? [] };
  });
}

/** What a model is given of earlier turns, at most; the oldest turns are left out first. */
const historyCharacters = 400_000;

/**
 * A stored conversation as a model reads it, up to and with the message `upTo`.
 * A call that never got its answer, because its turn failed, is answered with that.
 */
export function toModelMessages(stored: readonly StoredMessage[], upTo: number): ModelMessage[] {
  const turns: ModelMessage[][] = [];
  for (const message of stored) {
    if (message.seq > upTo) break;
    if (message.role === "user") turns.push([{ role: "user", text: message.content ?? "" }]);
    else turns.at(-1)?.push(...assistantMessages(message));
  }
  let size = 0;
  const kept: ModelMessage[][] = [];
  for (const turn of turns.reverse()) {
    size += JSON.stringify(turn).length;
    if (kept.length > 0 && size > historyCharacters) break;
    kept.unshift(turn);
  }
  return kept.flat();
}

function assistantMessages(message: StoredMessage): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let text = "";
  let calls: ToolCall[] = [];
  let answers: ToolAnswer[] = [];
  const flush = () => {
    if (text !== "" || calls.length > 0) messages.push({ role: "assistant", text, toolCalls: calls });
    if (answers.length > 0) messages.push({ role: "tool", answers });
    text = "";
    calls = [];
    answers = [];
  };
  for (const part of message.parts) {
    if (part.type === "text") {
      if (calls.length > 0) flush();
      text += part.text;
    }
    if (part.type !== "tool_invocation") continue;
    const { toolCallId: id, toolName: name, toolCallState: state, result } = part;
    calls.push({ id, name, args: isRecord(result.args) ? result.args : {} });
    const said = state === "running" ? "The turn ended before this call did." : result.result;
    answers.push({ id, name, failed: state !== "completed", result: said });
  }
  flush();
  return messages;
}
