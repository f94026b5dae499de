import { logLines } from "./log-lines.ts";

/** What a node has said since it was last written. It goes with the node's next write. */
export class NodeLog {
  readonly #pending: { readonly at: number; readonly text: string }[] = [];
  readonly #now: () => Date;
  readonly id: string;

  constructor(id: string, now: () => Date) {
    this.id = id;
    this.#now = now;
  }

  say(text: string): void {
    this.#pending.push({ at: this.#now().getTime(), text });
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
      return logLines(new Date(this.#last), log.id, text);
    });
  }
}
