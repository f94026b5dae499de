import { type ByteRoom, createByteRoom, type RoomShare } from "../byte-room.ts";

/** Of what is long so much is held of all answers together, in bytes, beside two of them. */
const roomBytes = 24_000_000;

/** Room for the answers of models and of commands while they come. */
export const createAnswerRoom = (): ByteRoom => createByteRoom(roomBytes);

/** Of one line so much is held without asking, in bytes: nearly all are shorter. */
const unasked = 256 * 1024;

/** What is held of an answer that is read line by line, as far as it is long. */
export interface HeldLine {
  /**
   * @param bytes of the line that has not come to its end
   * @returns resolves when there is room for them; null: they need none
   */
  hold(bytes: number): Promise<void> | null;
  /** Gives its room to others, until more of it comes. */
  leave(): void;
  /** Nothing of the answer is held any more, nor will be. */
  end(): void;
}

/** The line of one answer at a time. @param who shares the room with the others */
export function holdLine(room: ByteRoom, who: string): HeldLine {
  let share: RoomShare | null = null;
  let taken = 0;
  let hasEnded = false;
  const leave = () => {
    share?.leave();
    [share, taken] = [null, 0];
  };
  return {
    hold(bytes) {
      // Another line: the one before has been read.
      if (bytes <= unasked || bytes < taken) leave();
      if (bytes <= unasked || hasEnded) return null;
      share ??= room.enter(who);
      const more = bytes - taken;
      taken = bytes;
      return share.take(more);
    },
    leave,
    end() {
      hasEnded = true;
      leave();
    },
  };
}
