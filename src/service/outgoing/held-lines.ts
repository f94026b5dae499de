import { type ByteRoom, createByteRoom, type RoomShare } from "../byte-room.ts";

/** Of what is long so much is held of all answers together, in bytes, beside two of them. */
const roomBytes = 24_000_000;

/** Of an answer of which nothing more comes for so long nothing is held, in milliseconds: others wait for the room. */
const quietMs = 30_000;

/** Room for the answers of models and of MCP servers while they come. */
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
  /** Nothing of the answer is held any more, nor will be. */
  end(): void;
}

/**
 * The same answer, which goes on only where there is room for it.
 * @param isInLines it is read line by line; otherwise nothing of it is before it is there as a whole
 */
export function withRoom(
  body: ReadableStream<Uint8Array>,
  line: HeldLine,
  isInLines: boolean,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let held = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          line.end();
          return controller.close();
        }
        const lineEnd = isInLines ? value.lastIndexOf(newline) : -1;
        held = lineEnd < 0 ? held + value.length : value.length - lineEnd - 1;
        await line.hold(held);
        controller.enqueue(value);
      } catch (error) {
        line.end();
        controller.error(error);
      }
    },
    cancel(reason) {
      line.end();
      return reader.cancel(reason);
    },
  });
}

const newline = 10;

/** The line of one answer at a time. @param who shares the room with the others */
export function holdLine(room: ByteRoom, who: string): HeldLine {
  let share: RoomShare | null = null;
  let taken = 0;
  let hasEnded = false;
  let quiet: NodeJS.Timeout | undefined;
  const leave = () => {
    clearTimeout(quiet);
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
      clearTimeout(quiet);
      return share.take(more).then(() => {
        if (!hasEnded) quiet = setTimeout(leave, quietMs).unref();
      });
    },
    end() {
      hasEnded = true;
      leave();
    },
  };
}
