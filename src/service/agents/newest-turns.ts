import type { MessageGroup, TurnRoom } from "./context-window.ts";
import { type StoredMessage, turnsBefore } from "./conversation.ts";
import { createReadBackwards, type Pieces, type StoredHead, textPieces } from "./conversation-pieces.ts";
import { charactersOf, toTurns } from "./history.ts";
import type { StoredPart } from "./parts.ts";

/** A conversation from its end back, as far as a model has room for it. */
interface NewestTurns {
  /** What is asked now. */
  readonly question: MessageGroup;
  /** Earlier turns, the oldest first. */
  readonly turns: readonly MessageGroup[];
  /** How many came before those. */
  readonly unread: number;
}

/**
 * Reads the turns that a request has room for.
 * @param upTo `seq` of the message that is asked
 * @param roomFor what there is room for beside the question
 */
export type ReadNewestTurns = (
  interactionId: string,
  upTo: number,
  roomFor: (question: MessageGroup) => TurnRoom,
) => Promise<NewestTurns>;

/** Whatever the length of a conversation, no more of it is in memory than what fits and a piece. */
export function createReadNewestTurns(store: Pieces): ReadNewestTurns {
  const readBackwards = createReadBackwards(store);
  return async (id, upTo, roomFor) => {
    const turns: MessageGroup[] = [];
    let question: MessageGroup = [];
    let room: TurnRoom | null = null;
    let oldest = 1;
    /** Of the turn whose question has not come yet; the newest first. */
    let messages: StoredMessage[] = [];
    let parts: StoredPart[] = [];
    let characters = 0;
    for await (const row of readBackwards(id, upTo)) {
      if (row.type === "part") {
        parts.push(row.part);
        characters += charactersOf(row.part);
      } else if (row.message.role === "assistant") {
        messages.push({ ...row.message, parts: parts.reverse() });
        parts = [];
      } else {
        const { message, isCut } = row;
        const before = characters;
        const isEnough = (length: number) => room?.isFull(before + length) ?? false;
        const content = isCut ? await readText(store, id, message, isEnough) : message.content;
        const [turn = []] = toTurns([{ ...message, content, parts: [] }, ...messages.reverse()]);
        if (room === null) {
          question = turn;
          room = roomFor(question);
        } else if (room.take(turn)) turns.push(turn);
        else break;
        oldest = message.seq;
        messages = [];
        parts = [];
        characters = 0;
      }
      if (room?.isFull(characters)) break;
    }
    return { question, turns: turns.reverse(), unread: turnsBefore(oldest) };
  };
}

/** As much of a long text as tells that it does not fit, or the whole. */
async function readText(
  store: Pieces,
  id: string,
  { seq }: StoredHead,
  isEnough: (length: number) => boolean,
): Promise<string> {
  let text = "";
  for await (const piece of textPieces(store, id, seq)) {
    text += piece;
    if (isEnough(text.length)) break;
  }
  return text;
}
