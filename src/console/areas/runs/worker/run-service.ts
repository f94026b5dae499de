import { getRun } from "../../../../contract/run.ts";
import { type Envelope, type ExchangeOptions, open } from "../../../api/exchange.ts";
import { answering, copying, type GivenAnswer, type PlainAnswer } from "../../../api/plain-answer.ts";
import type { Damage } from "../../../api/receive.ts";
import type { PlainRequest } from "../../../api/request.ts";
import type { Work } from "../../../lib/workers/serve.ts";
import type { LineBlock } from "./body-scanner.ts";
import { HeldLog, LogComparison } from "./held-log.ts";
import { type LogFacts, LogReading } from "./log-reading.ts";
import { HeldLogSearch, type LogQuery } from "./log-search.ts";
import { type RunFields, readRunBody } from "./run-body.ts";
import type { LogChange } from "./run-log.ts";

/** A run to read. The request carries the credential, in memory only. */
interface ReadInput {
  /** Counted by the page, through all its workers. */
  readonly read: number;
  readonly runId: string;
  readonly request: PlainRequest;
  /**
   * The `read` whose answer the page holds; null for none. An answer can be lost on the way (the page had stopped
   * waiting), and a patch to it would not fit.
   */
  readonly have: number | null;
  readonly limits: Pick<ExchangeOptions, "timeoutMs" | "headTimeoutMs">;
  /** What another tab, or the page before, was answered, to be read instead of asking; null: the service is asked. */
  readonly given: GivenAnswer | null;
  /** What the service answers goes back as well, so that other tabs can be given it. */
  readonly isCopied: boolean;
}

/** New lines, sent while the body still arrives; they count when the answer comes. `isFirst`: those before do not. */
export interface NewLines {
  readonly block: LineBlock;
  readonly isFirst: boolean;
}

interface ReadAnswer {
  readonly envelope: Envelope;
  /** The answer as it came; null where it is not wanted, or too long. */
  readonly copy: PlainAnswer | null;
  /** Null: as the page holds it. */
  readonly changed: Changed | null;
}

/** What a read brought that the page does not hold, with the lines that were told. */
export interface Changed {
  readonly data: RunFields;
  readonly damage: readonly Damage[];
  /** How many lines of the log before stay, in front of the new ones. */
  readonly keep: number;
  readonly change: LogChange;
  /** Rises when lines that were there are not any more. */
  readonly epoch: number;
  /** What the new lines mean, where they are few; null: it is to be asked for. */
  readonly facts: LogFacts | null;
}

interface FactsInput {
  readonly runId: string;
  readonly epoch: number;
  /** Before the first are read. */
  readonly waitMs: number;
}

interface Held {
  /** That brought it. */
  readonly read: number;
  readonly etag: string | null;
  readonly log: HeldLog;
  /** What its lines mean, as far as they were read; a log that is another has another. */
  readonly reading: LogReading;
  readonly epoch: number;
}

/** Work between two looks at what was asked meanwhile, in ms. */
const slice = 20;
/** New lines that are read before they are sent. */
const fewLines = 1_000;

/** The work of the run reader, without the worker around it: fetch, parse, check, compare, search. */
export function runMethods(fetch: typeof globalThis.fetch) {
  const runs = new Map<string, Held>();
  let lastEpoch = 0;

  return {
    async read(input: ReadInput, { signal, tell, transfer }: Work<NewLines>): Promise<ReadAnswer> {
      const { read, runId, request, have, limits, given, isCopied } = input;
      const last = runs.get(runId);
      const held = last?.read === have ? last : undefined;
      const headers = held?.etag ? { ...request.headers, "if-none-match": held.etag } : request.headers;
      const copier = isCopied && !given ? copying(fetch) : null;
      const asking = copier?.fetch ?? (given ? answering(given) : fetch);
      const options = { fetch: asking, now: Date.now, signal, ...limits };
      const opened = await open(getRun.name, { ...request, headers }, options);
      const { envelope } = opened;
      try {
        if (opened.response.status === 304 && held)
          return { envelope, copy: (await copier?.copy()) ?? null, changed: null };
        const comparison = new LogComparison(held?.log, (block, isFirst) =>
          tell({ block, isFirst }, [block.bytes.buffer, block.starts.buffer, block.ends.buffer]),
        );
        const { data, damage } = await readRunBody(opened, comparison);
        const copy = (await copier?.copy()) ?? null;
        const { log, keep } = comparison.result();
        const isLonger = held !== undefined && keep === held.log.length;
        // What another read has told of these lines meanwhile, the page may not take: it is told anew.
        const isRead = isLonger && runs.get(runId) === held;
        if (!isRead) lastEpoch += 1;
        const epoch = isRead ? held.epoch : lastEpoch;
        const reading = isRead ? held.reading : new LogReading();
        const change = held && !isLonger ? "replaced" : keep < log.length ? "appended" : "none";
        runs.set(runId, { read, etag: envelope.etag, log, reading, epoch });
        // So that a poll with a few lines is one change of the page, not two.
        const facts = log.length - reading.length <= fewLines ? reading.step(log, stopwatch()) : null;
        if (facts) transfer.push(...buffersOf(facts));
        if (copy?.body) transfer.push(copy.body.buffer);
        return { envelope, copy, changed: { data, damage, keep, change, epoch, facts } };
      } finally {
        opened.stop();
      }
    },

    /** Tells what the lines mean that were not told yet, for as long as they are the log. */
    async facts({ runId, epoch, waitMs }: FactsInput, { tell }: Work<LogFacts>): Promise<void> {
      await pause(waitMs);
      for (;;) {
        await pause();
        const held = runs.get(runId);
        const facts = held?.epoch === epoch ? held.reading.step(held.log, stopwatch()) : null;
        if (!facts) return;
        tell(facts, buffersOf(facts));
      }
    },

    /** Tells the numbers of lines that match, in order. */
    async search(
      { runId, query }: { runId: string; query: LogQuery },
      { signal, tell }: Work<Uint32Array<ArrayBuffer>>,
    ): Promise<void> {
      const search = new HeldLogSearch(runs.get(runId)?.log ?? new HeldLog(), query);
      for (;;) {
        const { hits, done } = search.step(stopwatch());
        const lines = Uint32Array.from(hits);
        // Without hits, too: whoever waits then knows that the search is alive.
        tell(lines, [lines.buffer]);
        if (done) return;
        await pause();
        signal.throwIfAborted();
      }
    },

    forget(runId: string): void {
      runs.delete(runId);
    },
  };
}

function stopwatch(): () => boolean {
  const from = performance.now();
  return () => performance.now() - from > slice;
}

/** Lets messages be heard. */
const pause = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const buffersOf = ({ levels, nodes }: LogFacts) => [levels.buffer, nodes.buffer];
