import type { Message, MessagePart } from "../../contract/messages.ts";
import { readMessages, type StoredMessage } from "../agents/conversation.ts";
import type { StoredPart } from "../agents/parts.ts";
import type { Context } from "../context.ts";
import { linkLifetime, signFileLink } from "../files/signed-link.ts";

/** The messages of a conversation so far, as answers show them ("Message" of the decisions). */
export async function showMessages(context: Context, interactionId: string): Promise<Message[]> {
  const expires = new Date(context.clock.now().getTime() + linkLifetime * 1000);
  const stored = await readMessages(context.store.db, interactionId);
  return stored.map((message) => showMessage(context, message, expires));
}

function showMessage(context: Context, message: StoredMessage, expires: Date): Message {
  return {
    id: message.id,
    role: message.role,
    timestamp: message.createdAt.toISOString(),
    content: message.content,
    parts: message.role === "user" ? [] : message.parts.map((part) => showPart(context, part, expires)),
  };
}

function showPart(context: Context, part: StoredPart, expires: Date): MessagePart {
  if (part.type !== "file") return { ...part };
  const { filename, media_type, file_id } = part.file;
  const linked = { fileId: file_id, filename, mediaType: media_type };
  const artifact_url = signFileLink(context.signer, context.publicUrl, linked, expires);
  return { id: part.id, type: "file", file: { filename, media_type, artifact_url } };
}

/** The agent's final text (§2.1): of the newest message, which is the agent's when a turn has completed. */
export function responseOf(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last?.role === "assistant" ? (last.content ?? "") : "";
}
