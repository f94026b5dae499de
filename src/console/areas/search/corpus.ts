import type { Api } from "../../lib/api.tsx";
import { ConcurrencyLimit } from "../../lib/many/concurrency-limit.ts";
import { isMoving } from "../../lib/run-state.ts";
import { readConversation } from "./read-conversation.ts";
import type { Target } from "./targets.ts";
import type { createSearcher, Searcher } from "./worker/search-client.ts";

/** What the reading of an object told of it. */
export interface Facts {
  readonly agentId: string | null;
  /** As it is now; null where that is not told. */
  readonly state: string | null;
}

interface Held {
  readonly facts: Facts;
  readonly epoch: number;
  /** When it is asked for again, in ms since 1970; never for what has ended. */
  readonly until: number;
}

/** Requests of the search that are under way together. */
const together = 2;
/** So long what may still change counts as it was read, in ms. */
const freshRunMs = 15_000;
const freshConversationMs = 60_000;

/**
 * What was read for searching. It outlives the search that asked for it: another one asks nothing again of what has
 * ended, and a search that is given up leaves what is being read to the next one.
 */
export class Corpus {
  readonly searcher: Searcher;
  readonly #api: Api;
  readonly #limit = new ConcurrencyLimit(together);
  readonly #held = new Map<string, Held>();
  readonly #reading = new Map<string, Promise<Facts>>();
  #stop = new AbortController();
  #isClosed = false;

  constructor(api: Api, create: typeof createSearcher) {
    this.#api = api;
    this.searcher = create(api, () => api.workers.start("search"));
  }

  /** Whether it can be looked through without a request. */
  has({ key }: Target): boolean {
    const held = this.#held.get(key);
    return held !== undefined && held.epoch === this.searcher.epoch && this.#api.clock.now() < held.until;
  }

  /** What the last reading told; null before the first. */
  facts({ key }: Target): Facts | null {
    return this.#held.get(key)?.facts ?? null;
  }

  /** Does a request when it is its turn: at most two at a time. */
  limited<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#limit.take(work, signal);
  }

  /** Reads an object into the worker, unless it is there as it is. @throws ConsoleError; the signal's reason */
  async ensure(target: Target, signal: AbortSignal): Promise<Facts> {
    for (;;) {
      const held = this.#held.get(target.key);
      if (held && this.has(target)) return held.facts;
      const reading = this.#reading.get(target.key) ?? this.#begin(target, signal);
      try {
        return await until(reading, signal);
      } catch (error) {
        // Given up by the search that began it, not by this one.
        if (this.#isClosed || signal.aborted || !isAbort(error)) throw error;
      }
    }
  }

  /** The worker has let go of it: there was no room. */
  isGone({ key }: Target): void {
    this.#held.delete(key);
  }

  /** Gives up what is being read. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  close(): void {
    this.#isClosed = true;
    this.stop();
    this.searcher.close();
  }

  /** While it waits for its turn only this search wants it; once it is asked for, any search may take it over. */
  #begin(target: Target, signal: AbortSignal): Promise<Facts> {
    const reading = this.#limit
      .take(() => this.#read(target, this.#stop.signal), signal)
      .finally(() => this.#reading.delete(target.key));
    this.#reading.set(target.key, reading);
    return reading;
  }

  async #read({ key, kind, id }: Target, signal: AbortSignal): Promise<Facts> {
    const now = () => this.#api.clock.now();
    if (kind === "run") {
      const { state } = await this.searcher.readRun(key, id, signal);
      const facts = { agentId: null, state };
      const until = isMoving(state) ? now() + freshRunMs : Number.POSITIVE_INFINITY;
      this.#held.set(key, { facts, epoch: this.searcher.epoch, until });
      return facts;
    }
    const { agentId, fields } = await readConversation(this.#api, id, signal);
    this.searcher.hold(key, fields);
    const facts = { agentId, state: null };
    this.#held.set(key, { facts, epoch: this.searcher.epoch, until: now() + freshConversationMs });
    return facts;
  }
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** The result, or the signal's reason where that comes first. */
function until<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
