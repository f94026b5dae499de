import { getRun } from "../../../../contract/run.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { open } from "../../../api/exchange.ts";
import { answering, copying } from "../../../api/plain-answer.ts";
import type { LineBlock } from "./body-scanner.ts";
import { HeldLog, LogComparison } from "./held-log.ts";
import { type LogFacts, LogReading } from "./log-reading.ts";
import { type LogQuery, LogSearch } from "./log-search.ts";
import { readRunBody } from "./run-body.ts";
import type { FromWorker, ToWorker } from "./run-messages.ts";

interface Held {
  /** Of the read that brought it. */
  readonly id: number;
  readonly etag: string | null;
  readonly log: HeldLog;
  /** What its lines mean, as far as they were read; a log that is another has another. */
  readonly reading: LogReading;
  readonly epoch: number;
}

/** Where the service sends its answers. */
export type Post = (message: FromWorker, transfer: Transferable[]) => void;

/** Work between two looks at what was asked meanwhile, in ms. */
const slice = 20;
/** New lines that are read before they are sent. */
const fewLines = 1_000;
/** What many new lines mean is read when the page has had time to draw those in view, in ms. */
const afterLines = 100;

/** The work of the run reader, without the worker around it: fetch, parse, check, compare, search. */
export class RunService {
  readonly #fetch: typeof fetch;
  readonly #post: Post;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  readonly #running = new Map<number, AbortController>();
  #epoch = 0;

  constructor(post: Post, fetcher: typeof fetch, now: () => number = Date.now) {
    this.#post = post;
    this.#fetch = fetcher;
    this.#now = now;
  }

  handle(message: ToWorker): void {
    if (message.type === "abort") this.#running.get(message.id)?.abort();
    else if (message.type === "forget") this.#held.delete(message.runId);
    else void this.#run(message);
  }

  async #run(message: Extract<ToWorker, { id: number; runId: string }>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(message.id, controller);
    try {
      if (message.type === "read") await this.#read(message, controller.signal);
      else await this.#search(message.id, message.runId, message.query, controller.signal);
    } catch (error) {
      const failure = error instanceof ConsoleError ? error.failure : null;
      this.#post({ type: "failed", id: message.id, failure, message: String(error) }, []);
    } finally {
      this.#running.delete(message.id);
    }
  }

  async #read(message: Extract<ToWorker, { type: "read" }>, signal: AbortSignal): Promise<void> {
    const { id, runId, request, have, timeoutMs, given, isCopied } = message;
    const last = this.#held.get(runId);
    const held = last?.id === have ? last : undefined;
    const headers = held?.etag ? { ...request.headers, "if-none-match": held.etag } : request.headers;
    const copier = isCopied && !given ? copying(this.#fetch) : null;
    const fetcher = copier?.fetch ?? (given ? answering(given) : this.#fetch);
    const options = { fetch: fetcher, now: this.#now, signal, timeoutMs };
    const opened = await open(getRun.name, { ...request, headers }, options);
    try {
      if (opened.response.status === 304 && held) {
        const copy = (await copier?.copy()) ?? null;
        this.#post({ type: "unchanged", id, envelope: opened.envelope, copy }, []);
        return;
      }
      const comparison = new LogComparison(held?.log, (block, isFirst) =>
        this.#post({ type: "lines", id, block, isFirst }, buffersOf(block)),
      );
      const { data, damage } = await readRunBody(opened, comparison);
      const copy = (await copier?.copy()) ?? null;
      const { log, keep } = comparison.result();
      const isLonger = held !== undefined && keep === held.log.length;
      if (!isLonger) this.#epoch += 1;
      const epoch = isLonger ? held.epoch : this.#epoch;
      const reading = isLonger ? held.reading : new LogReading();
      const change = held && !isLonger ? "replaced" : keep < log.length ? "appended" : "none";
      this.#held.set(runId, { id, etag: opened.envelope.etag, log, reading, epoch });
      // So that a poll with a few lines is one change of the page, not two.
      const facts = log.length - reading.length <= fewLines ? reading.step(log, this.#stopwatch()) : null;
      this.#post(
        { type: "changed", id, envelope: opened.envelope, data, damage, keep, change, epoch, facts, copy },
        [...(facts ? buffersOfFacts(facts) : []), ...(copy?.body ? [copy.body.buffer] : [])],
      );
      void this.#tell(runId, reading, facts ? 0 : afterLines);
    } finally {
      opened.stop();
    }
  }

  /** Tells what the lines mean, after they have been sent, for as long as they are the log. */
  async #tell(runId: string, reading: LogReading, waitMs: number): Promise<void> {
    await pause(waitMs);
    for (;;) {
      await pause();
      const held = this.#held.get(runId);
      if (held?.reading !== reading) return;
      const facts = reading.step(held.log, this.#stopwatch());
      if (!facts) return;
      this.#post({ type: "facts", runId, epoch: held.epoch, facts }, buffersOfFacts(facts));
    }
  }

  async #search(id: number, runId: string, query: LogQuery, signal: AbortSignal): Promise<void> {
    const search = new LogSearch(this.#held.get(runId)?.log ?? new HeldLog(), query);
    for (;;) {
      const { hits, done } = search.step(this.#stopwatch());
      const lines = Uint32Array.from(hits);
      // Without hits, too: whoever waits then knows that the search is alive.
      this.#post({ type: "hits", id, lines, done }, [lines.buffer]);
      if (done) return;
      await pause();
      signal.throwIfAborted();
    }
  }

  #stopwatch(): () => boolean {
    const from = performance.now();
    return () => performance.now() - from > slice;
  }
}

/** Lets messages be heard. */
const pause = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const buffersOf = ({ bytes, starts, ends }: LineBlock) => [bytes.buffer, starts.buffer, ends.buffer];

const buffersOfFacts = ({ levels, nodes }: LogFacts) => [levels.buffer, nodes.buffer];
