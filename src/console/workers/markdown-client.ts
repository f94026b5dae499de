import type { Clock } from "../api/clock.ts";
import type { FromMarkdownWorker, MarkdownNode, MarkdownQuestion } from "./markdown-messages.ts";

/** The two ends of a worker, so that tests can do without one. */
export interface MarkdownPort {
  postMessage(question: MarkdownQuestion): void;
  listen(onMessage: (message: FromMarkdownWorker) => void, onDeath: () => void): void;
  terminate(): void;
}

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

interface Waiting {
  readonly promise: Promise<MarkdownResult>;
  readonly resolve: (result: MarkdownResult) => void;
}

/** @param spawn starts a worker; called again after one had to be ended */
export function createMarkdownReader(spawn: () => MarkdownPort, clock: Clock): MarkdownReader {
  const known = new Map<string, MarkdownResult>();
  const waiting = new Map<string, Waiting>();
  let port: MarkdownPort | null = null;
  let isReady = false;
  let isBroken = false;
  let current: { readonly id: number; readonly text: string } | null = null;
  let stopTimer = () => {};
  let counter = 0;

  function next(): void {
    const text = [...waiting.keys()].at(-1);
    if (current !== null || text === undefined) return;
    if (isBroken) {
      settle(text, { kind: "plain", why: "no reader" });
      return;
    }
    if (port === null) {
      port = open();
      stopTimer = clock.after(startMs, giveUp);
    }
    if (!isReady) return;
    counter += 1;
    current = { id: counter, text };
    stopTimer = clock.after(patienceMs, giveUp);
    port.postMessage(current);
  }

  function open(): MarkdownPort {
    const made = spawn();
    made.listen((message) => {
      if (made !== port) return;
      if (message.type === "ready") {
        isReady = true;
        stopTimer();
        next();
      } else if (current?.id === message.id) {
        const { nodes } = message;
        end(nodes === null ? { kind: "plain", why: "intricate" } : { kind: "tree", nodes });
      }
    }, giveUp);
    return made;
  }

  /** Ends a worker that died or takes too long. One that never stood is not tried again. */
  function giveUp(): void {
    port?.terminate();
    port = null;
    isBroken = !isReady;
    isReady = false;
    if (current) end({ kind: "plain", why: "intricate" });
    else next();
  }

  function end(result: MarkdownResult): void {
    stopTimer();
    const text = current?.text;
    current = null;
    if (text !== undefined) settle(text, result);
  }

  function settle(text: string, result: MarkdownResult): void {
    known.set(text, result);
    const oldest = known.keys().next().value;
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
    waiting.get(text)?.resolve(result);
    waiting.delete(text);
    next();
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
      waiting.clear();
      current = null;
      port?.terminate();
      port = null;
      isReady = false;
    },
  };
}
