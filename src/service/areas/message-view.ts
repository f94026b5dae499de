import type { Message, MessagePart } from "../../contract/messages.ts";
import {
  copiedParts,
  readMessages,
  readTurnTimes,
  type StoredMessage,
  type TurnTimes,
} from "../agents/conversation.ts";
import type { StoredPart } from "../agents/parts.ts";
import type { Context } from "../context.ts";
import { artifactLink } from "./artifact-link.ts";
import { type Asked, askedAbout, partKey, type ShownApproval } from "./asked-about.ts";
import type { Caller } from "./handler.ts";

/** The messages of a conversation so far, as answers show them (docs/interface.md, "Message"). */
export async function showMessages(
  context: Context,
  caller: Caller,
  interactionId: string,
): Promise<Message[]> {
  const stored = await readMessages(context.store.db, interactionId);
  const parts = await copiedParts(context.store.db, interactionId);
  const turns = await readTurnTimes(context.store.db, parts);
  const hasCalls = stored.some(({ parts }) => parts.some(({ type }) => type === "tool_invocation"));
  const asked = hasCalls ? await askedAbout(context, parts) : nothingAsked;
  return stored.map((message) => showMessage(context, caller, message, turns.get(message.seq), asked));
}

const nothingAsked: Asked = new Map();

function showMessage(
  context: Context,
  caller: Caller,
  message: StoredMessage,
  turn: TurnTimes | undefined,
  asked: Asked,
): Message {
  return {
    id: message.id,
    role: message.role,
    timestamp: message.createdAt.toISOString(),
    ...(turn && {
      started_at: turn.startedAt.toISOString(),
      finished_at: turn.finishedAt?.toISOString() ?? null,
    }),
    content: message.content,
    parts:
      message.role === "user"
        ? []
        : message.parts.map((part) =>
            showPart(context, caller, part, asked.get(partKey(message.seq, part.id))),
          ),
  };
}

function showPart(
  context: Context,
  caller: Caller,
  part: StoredPart,
  approval: ShownApproval | undefined,
): MessagePart {
  if (part.type === "tool_invocation" && approval !== undefined) {
    // It was answered a moment ago, and its turn has not gone on yet.
    const isOver = part.toolCallState === "approval_required" && approval.state !== "waiting";
    return { ...part, ...(isOver && { toolCallState: "running" }), approval };
  }
  if (part.type !== "file") return { ...part };
  const { filename, media_type, artifact_id, version_id } = part.file;
  const version = { artifactId: artifact_id, versionId: version_id, mediaType: media_type };
  const artifact_url = artifactLink(context, caller, version, "show");
  return { id: part.id, type: "file", file: { filename, media_type, artifact_url } };
}

/** The agent's final text (§2.1): of the newest message, which is the agent's when a turn has completed. */
export function responseOf(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return last?.role === "assistant" ? (last.content ?? "") : "";
}
