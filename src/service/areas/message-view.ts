import type { Message, MessagePart } from "../../contract/messages.ts";
import { copiedParts, readTurnTimes, type TurnTimes } from "../agents/conversation.ts";
import { conversationRows, readShort, type StoredHead, textPieces } from "../agents/conversation-pieces.ts";
import type { StoredPart } from "../agents/parts.ts";
import type { Context } from "../context.ts";
import { artifactLink } from "./artifact-link.ts";
import type { Caller } from "./handler.ts";
import { type ApprovalsByPart, approvalsOfParts, partKey, type ShownApproval } from "./part-approvals.ts";

/**
 * The messages of a conversation so far, as answers show them (docs/interface.md, "Message").
 * @returns null where it is long: `messagePieces` has it piece by piece
 */
export async function showMessages(
  context: Context,
  caller: Caller,
  interactionId: string,
): Promise<Message[] | null> {
  const stored = await readShort(context.store, interactionId);
  if (stored === null) return null;
  const hasCalls = stored.some(({ parts }) => parts.some(({ type }) => type === "tool_invocation"));
  const { turns, asked } = await readAround(context, interactionId, hasCalls);
  return stored.map((message) => ({
    ...showHead(message, turns),
    content: message.content,
    parts:
      message.role === "user"
        ? []
        : message.parts.map((part) =>
            showPart(context, caller, part, asked.get(partKey(message.seq, part.id))),
          ),
  }));
}

/**
 * The same as JSON text, of a conversation of any length: nothing of a piece is read before the one before was taken.
 * @returns the newest message, whose text may be cut
 * @throws Error in the middle where messages are removed meanwhile
 */
export async function* messagePieces(
  context: Context,
  caller: Caller,
  interactionId: string,
): AsyncGenerator<string, StoredHead | null> {
  const { turns, asked } = await readAround(context, interactionId, true);
  let shown: StoredHead | null = null;
  let parts = 0;
  yield "[";
  for await (const row of conversationRows(context.store, interactionId)) {
    if (row.type === "message") {
      const { message, isCut } = row;
      yield shown === null ? "" : "]},";
      yield `${JSON.stringify(showHead(message, turns)).slice(0, -1)},"content":`;
      if (isCut) yield* textJson(context, interactionId, message.seq);
      else yield JSON.stringify(message.content);
      yield ',"parts":[';
      shown = message;
      parts = 0;
    } else if (shown?.role === "assistant") {
      const part = showPart(context, caller, row.part, asked.get(partKey(shown.seq, row.part.id)));
      yield `${parts === 0 ? "" : ","}${JSON.stringify(part)}`;
      parts++;
    }
  }
  yield shown === null ? "]" : "]}]";
  return shown;
}

/** The text of a message as JSON text in pieces; `""` where it has none. */
async function* textJson({ store }: Context, interactionId: string, seq: number): AsyncGenerator<string> {
  yield '"';
  for await (const text of textPieces(store, interactionId, seq)) yield JSON.stringify(text).slice(1, -1);
  yield '"';
}

/** What is shown beside what was said: when, and what was asked about it. */
async function readAround(context: Context, interactionId: string, hasCalls: boolean) {
  const parts = await copiedParts(context.store.db, interactionId);
  const turns = await readTurnTimes(context.store.db, parts);
  return { turns, asked: hasCalls ? await approvalsOfParts(context, parts) : nothingAsked };
}

const nothingAsked: ApprovalsByPart = new Map();

function showHead({ id, role, seq, createdAt }: StoredHead, turns: ReadonlyMap<number, TurnTimes>) {
  const turn = turns.get(seq);
  return {
    ...{ id, role, timestamp: createdAt.toISOString() },
    ...(turn && {
      started_at: turn.startedAt.toISOString(),
      finished_at: turn.finishedAt?.toISOString() ?? null,
    }),
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

/** The same as JSON text in pieces. @param newest what `messagePieces` returned */
export async function* responsePieces(
  context: Context,
  interactionId: string,
  newest: StoredHead | null,
): AsyncGenerator<string> {
  if (newest?.role === "assistant") yield* textJson(context, interactionId, newest.seq);
  else yield '""';
}

/** Characters that go out together. */
const togetherLength = 65_536;

/** The same text in fewer pieces, as each of them is a write of its own. */
export async function* together(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length < togetherLength) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
