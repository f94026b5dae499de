import { write, writeSync } from "node:fs";

/** Where the lines of the process's log go. */
export interface LogSink {
  write(line: string): void;
  /** At the very end of the process, when nothing else happens any more; what is written afterwards is lost. */
  end(): void;
}

/** Of what cannot be written now so much is kept for later, in characters; beyond that, lines are lost. */
const maxKept = 16 * 1024 * 1024;

/** Under load many lines share a write; a line waits for others a tenth of a second at most. */
const maxBuffered = 32 * 1024;
const maxDelayMs = 100;

/** So soon a pipe that is full is tried again, and for so long at the end, in milliseconds. */
const busyMs = 10;
const maxEndMs = 1_000;

/**
 * Writes lines beside the work, many at a time, and goes on when it cannot: what a full pipe does not take is tried again a moment
 * later, what a disk that is full, fails or is away does not take with the next line. Whoever reads no more gets no more.
 * @param fd an open file or pipe
 */
export function logSink(fd: number): LogSink {
  let text = "";
  /** What was begun and is not written yet. */
  let begun: Uint8Array = Buffer.alloc(0);
  let isWriting = false;
  let isOver = false;
  let isDue = false;

  function soon(ms = maxDelayMs): void {
    if (isDue) return;
    isDue = true;
    const later = () => {
      isDue = false;
      go();
    };
    setTimeout(later, ms).unref();
  }

  function go(): void {
    if (isWriting || isOver) return;
    if (begun.length === 0) {
      begun = Buffer.from(text);
      text = "";
    }
    if (begun.length === 0) return;
    isWriting = true;
    write(fd, begun, (error, written) => {
      isWriting = false;
      if (error === null) {
        begun = begun.subarray(written);
        if (begun.length > 0 || text.length >= maxBuffered) go();
        else if (text !== "") soon();
      } else if (isBusy(error)) soon(busyMs);
      else if (isGone(error)) {
        isOver = true;
        text = "";
      }
      // A disk that is full or fails, or is away: what the process does matters more than what it says.
    });
  }

  return {
    write(line) {
      if (isOver || begun.length + text.length + line.length > maxKept) return;
      text += line;
      if (text.length >= maxBuffered && !isWriting && begun.length === 0) go();
      else soon();
    },
    end() {
      if (isOver) return;
      isOver = true;
      // A write under way is finished beside this.
      let rest: Uint8Array = Buffer.concat([isWriting ? Buffer.alloc(0) : begun, Buffer.from(text)]);
      const deadline = performance.now() + maxEndMs;
      while (rest.length > 0) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          // There is no other time to write it.
          if (!isBusy(error) || performance.now() > deadline) return;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
        }
      }
    },
  };
}

const hasCode = (error: unknown, ...codes: readonly string[]) =>
  error instanceof Error && "code" in error && codes.includes(String(error.code));
const isBusy = (error: unknown) => hasCode(error, "EAGAIN", "EBUSY");

/** Whoever read it has closed it. */
export const isGone = (error: unknown): boolean => hasCode(error, "EPIPE");
