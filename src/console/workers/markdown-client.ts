import type { Clock } from "../api/clock.ts";
import type { MarkdownAnswer, MarkdownNode, MarkdownQuestion } from "./markdown-messages.ts";

/** The two ends of a worker, so that tests can do without one. */
export interface MarkdownPort {
  postMessage(question: MarkdownQuestion): void;
  listen(onAnswer: (answer: MarkdownAnswer) => void, onDeath: () => void): void;
  terminate(): void;
}

/** What became of a text. `plain`: to be shown as it was written, and why. */
export type MarkdownResult =
  | { readonly kind: "tree"; readonly nodes: readonly MarkdownNode[] }
  | { readonly kind: "plain"; readonly why: "long" | "intricate" };

/** Reads markdown off the main thread, one text after the other, the newest question first. */
export interface MarkdownReader {
  /** What is known already; undefined while it is not. */
  peek(text: string): MarkdownResult | undefined;
  read(text: string): Promise<MarkdownResult>;
  close(): void;
}

/** Longer texts are shown as they were written. */
export const longestMarkdown = 100_000;
const patienceMs = 1_500;
const remembered = 500;

/** @param spawn starts a worker; called again after one had to be ended */
export function createMarkdownReader(spawn: () => MarkdownPort, clock: Clock): MarkdownReader {
  const known = new Map<string, MarkdownResult>();
  const waiting = new Map<
    string,
    { resolve: (result: MarkdownResult) => void; promise: Promise<MarkdownResult> }
  >();
  let port: MarkdownPort | null = null;
  let current: { id: number; text: string; stopTimer: () => void } | null = null;
  let counter = 0;
  let isClosed = false;

  function next(): void {
    if (current !== null || isClosed) return;
    const text = [...waiting.keys()].at(-1);
    if (text === undefined) return;
    counter += 1;
    port ??= open();
    current = { id: counter, text, stopTimer: clock.after(patienceMs, giveUp) };
    port.postMessage({ id: counter, text });
  }

  function open(): MarkdownPort {
    const made = spawn();
    made.listen(({ id, nodes }) => {
      if (id !== current?.id) return;
      settle(nodes === null ? { kind: "plain", why: "intricate" } : { kind: "tree", nodes });
    }, giveUp);
    return made;
  }

  function giveUp(): void {
    port?.terminate();
    port = null;
    settle({ kind: "plain", why: "intricate" });
  }

  function settle(result: MarkdownResult): void {
    if (current === null) return;
    const { text, stopTimer } = current;
    stopTimer();
    current = null;
    keep(text, result);
    waiting.get(text)?.resolve(result);
    waiting.delete(text);
    next();
  }

  function keep(text: string, result: MarkdownResult): void {
    known.set(text, result);
    const oldest = known.keys().next().value;
    if (known.size > remembered && oldest !== undefined) known.delete(oldest);
  }

  return {
    peek: (text) => (text.length > longestMarkdown ? { kind: "plain", why: "long" } : known.get(text)),
    read(text) {
      const result = this.peek(text);
      if (result) return Promise.resolve(result);
      const asked = waiting.get(text);
      if (asked) return asked.promise;
      const { promise, resolve } = withResolvers<MarkdownResult>();
      waiting.set(text, { promise, resolve });
      next();
      return promise;
    },
    close() {
      isClosed = true;
      current?.stopTimer();
      current = null;
      port?.terminate();
      port = null;
    },
  };
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
