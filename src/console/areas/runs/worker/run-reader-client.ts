import type { QueryKey } from "@tanstack/react-query";
import { getRun } from "../../../../contract/run.ts";
import { send } from "../../../api/client.ts";
import { type Caller, ownerOf } from "../../../api/connection.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { type Envelope, open } from "../../../api/exchange.ts";
import { type GivenAnswer, givenOf } from "../../../api/plain-answer.ts";
import { type Moves, movesOf } from "../../../api/read.ts";
import type { Damage } from "../../../api/receive.ts";
import { buildRequest, type PlainRequest } from "../../../api/request.ts";
import type { Api } from "../../../lib/api.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { callWorker, type Loss } from "../../../lib/workers/calls.ts";
import type { LineBlock } from "./body-scanner.ts";
import type { LogQuery } from "./log-search.ts";
import type { RunFields } from "./run-body.ts";
import { PatchedLog, type RunLog } from "./run-log.ts";
import type { Changed, NewLines, runMethods } from "./run-service.ts";

/** One read of a run, as the cache keeps it. Its log is in the reader. */
export interface RunRead extends Moves, Omit<Envelope, "status"> {
  readonly data: RunFields;
  readonly damage: readonly Damage[];
  /** The log's version and length at this read, so that a new line is a change. */
  readonly log: { readonly version: number; readonly length: number };
}

/** Reads runs off the main thread. One per signed-in connection. */
export interface RunReader {
  /**
   * Reads a run and brings its log up to date. Throws like `call`.
   * @param via the connection where it is not simply asked
   */
  read(
    runId: string,
    options: { signal?: AbortSignal | undefined; poll?: boolean },
    via?: Caller,
  ): Promise<RunRead>;
  /** The log as far as it was read; empty before the first read. */
  log(runId: string): RunLog;
  /**
   * Searches all lines in the worker. `onHits` is told of line numbers, in order, as they are found.
   * @throws SyntaxError for a pattern that is none, SearchTooSlow for one that never came to an end
   */
  search(
    runId: string,
    query: LogQuery,
    onHits: (lines: Uint32Array) => void,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Drops a log when the cache drops its run. */
  forget(queryKey: QueryKey): void;
  close(): void;
}

/** A pattern kept the worker busy for too long and was ended. */
export class SearchTooSlow extends Error {
  override readonly name = "SearchTooSlow";
}

/** Of a whole answer, and of its head: as for any other read. A long answer that has begun may then take its time. */
const limits = { timeoutMs: 120_000, headTimeoutMs: 30_000 } as const;
/** A search tells every few ms that it is alive; one that is silent for this long is caught in one line. */
const searchSilenceMs = 4_000;
/** What many new lines mean is read when the page has had time to draw those in view, in ms. */
const afterLines = 100;

/** What the loss of a worker is called by whoever waits for a run. */
function lossOfRunWorker(loss: Loss): Error {
  if (loss === "silent") return new SearchTooSlow("The search took too long");
  if (loss === "closed") return new DOMException("The session has ended", "AbortError");
  // Out of memory, most likely.
  return new ConsoleError({ kind: "network" }, getRun.name);
}

/**
 * The reader of a connection (`api.keep`).
 * @param silenceMs after which a search is ended that is not heard of
 */
export function createRunReader(api: Api, silenceMs = searchSilenceMs): RunReader {
  const logs = new Map<string, PatchedLog>();
  const reads = new Map<string, RunRead>();
  /** Which read each log stands at. */
  const held = new Map<string, number>();
  let lastRead = 0;

  const worker = callWorker<ReturnType<typeof runMethods>>(() => api.workers.start("run-reader"), {
    clock: api.clock,
    // A new worker reads everything anew.
    onLoss: () => held.clear(),
    errorOf: lossOfRunWorker,
  });

  const logOf = (runId: string): PatchedLog => {
    const known = logs.get(runId);
    if (known) return known;
    const log = new PatchedLog();
    logs.set(runId, log);
    return log;
  };

  const read: RunReader["read"] = async (runId, { signal, poll = false }, via = api) => {
    let sentAt = 0;
    const answer = await send(via, getRun, { signal, poll }, (credential) => {
      const input = { query: { run_id: runId, ...ownerOf(api) } };
      const request = buildRequest({ base: api.base, credential }, getRun, input, { poll });
      const work = async (given: GivenAnswer | null, transfer: Transferable[] = []) => {
        sentAt = api.clock.now();
        lastRead += 1;
        const read = lastRead;
        let blocks: LineBlock[] = [];
        const onTold = ({ block, isFirst }: NewLines) => {
          if (isFirst) blocks = [];
          blocks.push(block);
        };
        const have = held.get(runId) ?? null;
        const asked = { read, runId, request, have, limits, given, isCopied: via.carry !== undefined };
        const answered = await worker.call("read", asked, { signal, onTold, transfer, canRepeat: true });
        return { ...answered, read, blocks };
      };
      if (via.carry) return via.carry((given) => work(given));
      return via.isPreloaded?.(request) ? handedOver(via, request, signal, work) : work(null);
    });
    const { status: _, ...envelope } = answer.envelope;
    api.serverClock.observe(envelope.serverDate, envelope.receivedAt);
    const before = reads.get(runId);
    const next = answer.changed
      ? take(runId, answer.read, { ...answer.changed, blocks: answer.blocks })
      : before;
    if (!next) throw new ConsoleError({ kind: "contract", path: "", requestId: null }, getRun.name);
    const tookMs = api.clock.now() - sentAt;
    const run = { ...envelope, tookMs, data: next.data, damage: next.damage, log: next.log };
    const moves = { moving: (data: RunFields) => isMoving(data.state), endedAt: endOf };
    const result: RunRead = { ...run, ...movesOf(run, before, moves) };
    reads.set(runId, result);
    return result;
  };

  /** Opens on the page what the page has begun to read, and lets the worker read what comes of it. */
  async function handedOver<T>(
    { fetch, clock }: Caller,
    request: PlainRequest,
    signal: AbortSignal | undefined,
    work: (given: GivenAnswer, transfer: Transferable[]) => Promise<T>,
  ): Promise<T> {
    const opened = await open(getRun.name, request, { fetch, now: clock.now, signal, ...limits });
    try {
      const { given, transfer } = await givenOf(request.url, opened.response).catch((error: unknown) => {
        throw opened.failed(error);
      });
      return await work(given, transfer);
    } finally {
      opened.stop();
    }
  }

  function take(runId: string, of: number, patch: Changed & { readonly blocks: readonly LineBlock[] }) {
    const { data, damage, epoch } = patch;
    const log = logOf(runId);
    log.apply(patch);
    held.set(runId, of);
    if (log.facts.length < log.length) {
      worker
        .call(
          "facts",
          { runId, epoch, waitMs: patch.facts ? 0 : afterLines },
          { onTold: (facts) => log.learn(facts, epoch) },
        )
        // A worker that is gone tells nothing; the next one reads everything anew. Of a run that has ended nobody reads
        // again, so that it is done here: a pattern that was too slow is not searched again by itself.
        .catch((error: unknown) => {
          const isLeft = logs.get(runId) === log && !held.has(runId);
          if (error instanceof SearchTooSlow && isLeft) return read(runId, {});
        })
        .catch(() => {});
    }
    return { data, damage, log: { version: log.version, length: log.length } };
  }

  return {
    read,
    log: logOf,
    async search(runId, query, onHits, signal) {
      if (query.regex) new RegExp(query.text);
      // A worker that was ended has left nothing to search in.
      if (!held.has(runId)) await read(runId, { signal });
      const onTold = (lines: Uint32Array) => {
        if (lines.length > 0) onHits(lines);
      };
      await worker.call("search", { runId, query }, { signal, onTold, silenceMs });
    },
    forget([, endpoint, id]) {
      if (endpoint !== getRun.name) return;
      const runId = String(id);
      logs.delete(runId);
      reads.delete(runId);
      held.delete(runId);
      worker.tell("forget", runId);
    },
    close: worker.close,
  };
}

function endOf(data: RunFields): string | null | undefined {
  return data.finished_ts;
}
