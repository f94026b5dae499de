import type { QueryKey } from "@tanstack/react-query";
import { getRun } from "../../../../contract/run.ts";
import { send } from "../../../api/client.ts";
import { type Caller, ownerOf } from "../../../api/connection.ts";
import { ConsoleError } from "../../../api/errors.ts";
import type { Envelope } from "../../../api/exchange.ts";
import type { PlainAnswer } from "../../../api/plain-answer.ts";
import { type Moves, movesOf } from "../../../api/read.ts";
import type { Damage } from "../../../api/receive.ts";
import { buildRequest } from "../../../api/request.ts";
import type { Api } from "../../../lib/api.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { type WorkerEnd, workerSeat } from "../../../lib/workers/worker-seat.ts";
import type { LineBlock } from "./body-scanner.ts";
import type { LogQuery } from "./log-search.ts";
import { PatchedLog, type RunLog } from "./run-log.ts";
import type { FromWorker, RunFields, ToWorker } from "./run-messages.ts";

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

/** A worker, or in tests the service itself. */
export type Port = WorkerEnd<ToWorker, FromWorker>;

/** A pattern kept the worker busy for too long and was ended. */
export class SearchTooSlow extends Error {
  override readonly name = "SearchTooSlow";
}

type Changed = Extract<FromWorker, { type: "changed" }> & { readonly blocks: readonly LineBlock[] };
type Answered = Extract<FromWorker, { type: "unchanged" }> | Changed;
type Answer = Exclude<FromWorker, { type: "facts" }>;
interface Pending {
  readonly take: (message: Answer) => void;
  /** Asks a new worker the same, where that makes sense. */
  readonly again: (() => void) | null;
  readonly fail: (error: unknown) => void;
}

const timeoutMs = 120_000;
/** A search tells every few ms that it is alive; one that is silent for this long is caught in one line. */
const searchSilenceMs = 4_000;

/**
 * The reader of a connection (`api.keep`).
 * @param silence ms after which a search is ended that is not heard of
 */
export function createRunReader(api: Api, silence = searchSilenceMs): RunReader {
  const logs = new Map<string, PatchedLog>();
  const reads = new Map<string, RunRead>();
  /** Which answer of the worker each log stands at. */
  const held = new Map<string, number>();
  const pending = new Map<number, Pending>();
  let lastId = 0;

  const seat = workerSeat<ToWorker, FromWorker>(
    () => api.workers.start("run-reader"),
    (message) => {
      if (message.type === "facts") logs.get(message.runId)?.learn(message.facts, message.epoch);
      else pending.get(message.id)?.take(message);
    },
    () => {
      // Out of memory, most likely. A new worker reads everything anew.
      held.clear();
      for (const one of [...pending.values()]) one.fail(new ConsoleError({ kind: "network" }, getRun.name));
    },
  );

  function drop(): void {
    seat.end();
    held.clear();
  }

  /** Ends a worker that is caught in a search. What else was asked of it is asked of a new one. */
  function endSearch(id: number): void {
    drop();
    for (const [other, one] of [...pending]) {
      if (!pending.has(other)) continue;
      if (other === id || !one.again) one.fail(new SearchTooSlow("The search took too long"));
      else one.again();
    }
  }

  function ask<T>(
    message: (id: number) => ToWorker,
    signal: AbortSignal | undefined,
    take: (answer: Answer, done: (value: T) => void) => void,
    { canRepeat = false } = {},
  ): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      lastId += 1;
      const id = lastId;
      const settle = () => {
        pending.delete(id);
        signal?.removeEventListener("abort", onAbort);
      };
      const onAbort = () => {
        settle();
        seat.tell({ type: "abort", id });
        reject(signal?.reason);
      };
      pending.set(id, {
        again: canRepeat ? () => seat.post(message(id)) : null,
        fail: (error) => {
          settle();
          reject(error);
        },
        take: (answer) => {
          if (answer.type === "failed") {
            settle();
            const { failure } = answer;
            reject(failure ? new ConsoleError(failure, getRun.name) : new Error(answer.message));
            return;
          }
          take(answer, (value) => {
            settle();
            resolve(value);
          });
        },
      });
      signal?.addEventListener("abort", onAbort, { once: true });
      seat.post(message(id));
    });
  }

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
      const work = (given: PlainAnswer | null) => {
        sentAt = api.clock.now();
        let blocks: LineBlock[] = [];
        return ask<Answered>(
          (id) => ({
            type: "read",
            id,
            runId,
            request,
            have: held.get(runId) ?? null,
            timeoutMs,
            given,
            isCopied: via.carry !== undefined,
          }),
          signal,
          (message, done) => {
            if (message.type === "unchanged") done(message);
            else if (message.type === "changed") done({ ...message, blocks });
            else if (message.type === "lines") {
              if (message.isFirst) blocks = [];
              blocks.push(message.block);
            }
          },
          { canRepeat: true },
        );
      };
      return via.carry ? via.carry(work) : work(null);
    });
    const { status: _, ...envelope } = answer.envelope;
    api.serverClock.observe(envelope.serverDate, envelope.receivedAt);
    const before = reads.get(runId);
    const next = answer.type === "changed" ? take(runId, answer) : before;
    if (!next) throw new ConsoleError({ kind: "contract", path: "", requestId: null }, getRun.name);
    const tookMs = api.clock.now() - sentAt;
    const run = { ...envelope, tookMs, data: next.data, damage: next.damage, log: next.log };
    const moves = { moving: (data: RunFields) => isMoving(data.state), endedAt: endOf };
    const result: RunRead = { ...run, ...movesOf(run, before, moves) };
    reads.set(runId, result);
    return result;
  };

  function take(runId: string, answer: Changed) {
    const { id, data, damage } = answer;
    const log = logOf(runId);
    log.apply(answer);
    held.set(runId, id);
    return { data, damage, log: { version: log.version, length: log.length } };
  }

  return {
    read,
    log: logOf,
    async search(runId, query, onHits, signal) {
      if (query.regex) new RegExp(query.text);
      // A worker that was ended has left nothing to search in.
      if (!held.has(runId)) await read(runId, { ...(signal && { signal }) });
      let searching = 0;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => endSearch(searching), silence);
      };
      const asked = ask<void>(
        (id) => {
          searching = id;
          return { type: "search", id, runId, query };
        },
        signal,
        (message, done) => {
          if (message.type !== "hits") return;
          wait();
          if (message.lines.length > 0) onHits(message.lines);
          if (message.done) done();
        },
      );
      wait();
      await asked.finally(() => clearTimeout(timer));
    },
    forget([, endpoint, id]) {
      if (endpoint !== getRun.name) return;
      const runId = String(id);
      logs.delete(runId);
      reads.delete(runId);
      held.delete(runId);
      seat.tell({ type: "forget", runId });
    },
    close() {
      seat.end();
      for (const one of [...pending.values()]) {
        one.fail(new DOMException("The session has ended", "AbortError"));
      }
    },
  };
}

function endOf(data: RunFields): string | null | undefined {
  return data.finished_ts;
}
