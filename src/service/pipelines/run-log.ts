import { logLines } from "./log-lines.ts";

/** What a node says: a text, or one that says how long it took, in ms by the dates of its lines. */
type Said = string | ((tookMs: number) => string);

/** What a node has said since it was last written. It goes with the node's next write. */
export class NodeLog {
  readonly #pending: { readonly at: number; readonly text: Said }[] = [];
  readonly #now: () => Date;
  readonly id: string;
  #hasWaited = false;
  /**
   * The date of its first line, in ms since 1970; null while none was written. What the log says that a node took is
   * counted from here, so that it is what the dates of its lines say too.
   */
  begun: number | null = null;

  constructor(id: string, now: () => Date) {
    this.id = id;
    this.#now = now;
  }

  say(text: Said): void {
    this.#pending.push({ at: this.#now().getTime(), text });
  }

  /** @returns whether it is asked for the first time: what many calls of one node wait for is said once */
  isFirstWait(): boolean {
    const isFirst = !this.#hasWaited;
    this.#hasWaited = true;
    return isFirst;
  }

  take() {
    return this.#pending.splice(0);
  }
}

/**
 * The log of one run. Nodes that work at the same time write one after the other, and no line is dated before the one
 * above it: what a node said while another was writing gets the time of that write.
 */
export class RunLog {
  #last = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param write gets the node's lines when its turn has come @returns what it returned, or throws what it threw */
  async write<T>(log: NodeLog, write: (lines: readonly string[]) => Promise<T>): Promise<T> {
    const mine = this.#turn.then(() => write(this.#lines(log)));
    this.#turn = mine.catch(() => undefined);
    return await mine;
  }

  #lines(log: NodeLog): string[] {
    return log.take().flatMap(({ at, text }) => {
      this.#last = Math.max(this.#last, at);
      log.begun ??= this.#last;
      const words = typeof text === "string" ? text : text(this.#last - log.begun);
      return logLines(new Date(this.#last), log.id, words);
    });
  }
}
