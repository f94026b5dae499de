import { setImmediate } from "node:timers/promises";
import { conversationRows, type Pieces, type StoredHead, textPieces } from "../agents/conversation-pieces.ts";
import { createTranscript, partLine, type Transcript, textLine } from "./transcript.ts";
import type { CodeJudge } from "./verdict.ts";

/** Which conversation, and up to which turn of it. */
interface Told {
  readonly interactionId: string;
  readonly turn: number;
}

/** Of a text that is listened to at once: others go on between. */
const pieceLength = 64 * 1024;

/**
 * Reads a conversation once, row by row: of any length, no more is in memory than a piece of it and the transcript.
 * @param judge hears what the agent itself said
 * @throws Error where it is removed meanwhile
 */
export async function readConversation(
  store: Pieces,
  { interactionId, turn }: Told,
  judge: CodeJudge,
): Promise<Transcript> {
  const transcript = createTranscript();
  let answer: {
    head: StoredHead;
    isCut: boolean;
    lines: number;
    said: ReturnType<CodeJudge["message"]> | null;
  } | null = null;
  const hear = async (seq: number, text: string) => {
    if (answer === null) return;
    answer.said ??= judge.message(seq);
    for (const piece of wordPieces(text)) {
      answer.said.hear(piece);
      if (piece.length < text.length) await setImmediate();
    }
  };
  /** An answer whose parts say nothing is what its message says. */
  const close = async () => {
    if (answer === null) return;
    const { head, isCut, lines, said } = answer;
    if (head.content !== null && lines === 0) transcript.add(textLine(head.seq, "agent", head.content));
    if (head.content !== null && said === null)
      await hear(head.seq, isCut ? await wholeText(store, interactionId, head.seq) : head.content);
    answer = null;
  };
  // Two messages for each turn.
  for await (const row of conversationRows(store, interactionId, turn * 2)) {
    if (row.type === "message") {
      await close();
      const { message: head, isCut } = row;
      // The beginning of a text that is cut is longer than a transcript.
      if (head.role === "user") transcript.add(textLine(head.seq, "person", head.content ?? ""));
      else answer = { head, isCut, lines: 0, said: null };
    } else if (answer !== null) {
      const line = partLine(row.seq, row.part);
      if (line !== null) {
        transcript.add(line);
        answer.lines++;
      }
      if (row.part.type === "text") await hear(row.seq, row.part.text);
    }
  }
  await close();
  return transcript;
}

async function wholeText(store: Pieces, id: string, seq: number): Promise<string> {
  let text = "";
  for await (const piece of textPieces(store, id, seq)) text += piece;
  return text;
}

/**
 * A text in pieces, for a listener that hears on over their ends. They end before a space or a line's end, so that neither a
 * word nor a letter with its marks is cut; where none comes any more the rest is one piece, however long.
 */
export function* wordPieces(text: string, length = pieceLength): Iterable<string> {
  let from = 0;
  while (from < text.length) {
    const gap = text.slice(from + length).search(/[ \n]/);
    const to = gap === -1 ? text.length : from + length + gap;
    yield text.slice(from, to);
    from = to;
  }
}
