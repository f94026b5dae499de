import type { Clock } from "../../../api/clock.ts";
import { type WorkerEnd, workerSeat } from "../../workers/worker-seat.ts";
import type { FromMarkdownWorker, MarkdownNode, MarkdownQuestion } from "./markdown-messages.ts";

/** A worker, or in tests the desk itself. */
export type MarkdownPort = WorkerEnd<MarkdownQuestion, FromMarkdownWorker>;

/** What became of a text. `plain`: to be shown as it was written, and why. */
export type MarkdownResult =
  | { readonly kind: "tree"; readonly nodes: readonly MarkdownNode[] }
  | { readonly kind: "plain"; readonly why: "long" | "intricate" | "no reader" };

/** Reads markdown off the main thread, one text after the other, the newest question first. */
export interface MarkdownReader {
  /** What is known already; undefined while it is not. */
  peek(text: string): MarkdownResult | undefined;
  read(text: string): Promise<MarkdownResult>;
  close(): void;
}

/** Longer texts are shown as they were written. */
export const longestMarkdown = 100_000;
/** For one text, from when the worker stands. */
const patienceMs = 1_500;
/** For the worker's own start, on a slow network too. */
const startMs = 20_000;
const remembered = 500;

const intricate: MarkdownResult = { kind: "plain", why: "intricate" };
const noReader: MarkdownResult = { kind: "plain", why: "no reader" };

interface Waiting {
  readonly promise: Promise<MarkdownResult>;
  readonly resolve: (result: MarkdownResult) => void;
}

/** @param spawn starts a worker; called again after one had to be ended */
export function createMarkdownReader(spawn: () => MarkdownPort, clock: Clock): MarkdownReader {
  const known = new Map<string, MarkdownResult>();
  const waiting = new Map<string, Waiting>();
  let isReady = false;
  let current: { readonly id: number; readonly text: string } | null = null;
  let stopTimer = () => {};
  let counter = 0;

  const seat = workerSeat<MarkdownQuestion, FromMarkdownWorker>(
    spawn,
    (message) => {
      if (message.type === "ready") {
        isReady = true;
        stopTimer();
        // What could not be read before can be now.
        for (const [text, result] of known) if (result === noReader) known.delete(text);
        next();
      } else if (current?.id === message.id) {
        const { nodes } = message;
        end(nodes === null ? intricate : { kind: "tree", nodes });
      }
    },
    lose,
  );

  function next(): void {
    const text = [...waiting.keys()].at(-1);
    if (current !== null || text === undefined) return;
    if (seat.worker === 0) {
      isReady = false;
      stopTimer = clock.after(startMs, giveUp);
      seat.start();
    } else if (isReady) {
      counter += 1;
      current = { id: counter, text };
      stopTimer = clock.after(patienceMs, giveUp);
      seat.post(current);
    }
  }

  /** Ends a worker that takes too long. */
  function giveUp(): void {
    seat.end();
    lose();
  }

  /** The worker is gone. What it was reading is not tried again; the rest waits for a new one, if one stood at all. */
  function lose(): void {
    stopTimer();
    if (current) end(intricate);
    else if (isReady) next();
    else for (const text of [...waiting.keys()]) settle(text, noReader);
  }

  function end(result: MarkdownResult): void {
    stopTimer();
    const text = current?.text;
    current = null;
    if (text !== undefined) settle(text, result);
    next();
  }

  function settle(text: string, result: MarkdownResult): void {
    known.set(text, result);
    const oldest = known.keys().next().value;
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    waiting.get(text)?.resolve(result);
    waiting.delete(text);
  }

  const peek = (text: string): MarkdownResult | undefined =>
    text.length > longestMarkdown ? { kind: "plain", why: "long" } : known.get(text);
  return {
    peek,
    read(text) {
      const result = peek(text);
      if (result) return Promise.resolve(result);
      const asked = waiting.get(text);
      if (asked) return asked.promise;
      let resolve: Waiting["resolve"] = () => {};
      const promise = new Promise<MarkdownResult>((settled) => {
        resolve = settled;
      });
      waiting.set(text, { promise, resolve });
      next();
      return promise;
    },
    close() {
      stopTimer();
      seat.end();
      current = null;
      for (const text of [...waiting.keys()]) settle(text, noReader);
    },
  };
}
