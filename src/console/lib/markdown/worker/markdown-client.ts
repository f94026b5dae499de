import type { Clock } from "../../../api/clock.ts";
import { type CallError, callWorker, type WorkerEnd } from "../../workers/calls.ts";
import type { MarkdownNode, parseMarkdown } from "./markdown-parse.ts";

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
const timeoutMs = 1_500;
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
export function createMarkdownReader(spawn: () => WorkerEnd, clock: Clock): MarkdownReader {
  const known = new Map<string, MarkdownResult>();
  const waiting = new Map<string, Waiting>();
  let isBusy = false;
  const worker = callWorker<{ parse: typeof parseMarkdown }>(spawn, { clock, startMs });

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let text = newest(); text !== undefined; text = newest()) {
      const result = await worker.call("parse", text, { silenceMs: timeoutMs }).then(
        (nodes): MarkdownResult => ({ kind: "tree", nodes }),
        // What cannot be read, or takes too long, is not tried again; the rest waits for a new worker, if one stood at all.
        ({ kind }: CallError) => (kind === "no worker" || kind === "closed" ? noReader : intricate),
      );
      if (result !== noReader) settle(text, result);
      else for (const one of [...waiting.keys()]) settle(one, noReader);
    }
    isBusy = false;
  }

  const newest = () => [...waiting.keys()].at(-1);

  function settle(text: string, result: MarkdownResult): void {
    // Another worker may read what this one could not.
    if (result !== noReader) known.set(text, result);
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
      void work();
      return promise;
    },
    close: worker.close,
  };
}
