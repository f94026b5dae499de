import { getRun } from "../../contract/runs.ts";
import { type Api, ownerOf } from "../api/api.ts";
import { send } from "../api/client.ts";
import { ConsoleError } from "../api/errors.ts";
import type { Envelope } from "../api/exchange.ts";
import { type Moves, movesOf } from "../api/read.ts";
import type { Damage } from "../api/receive.ts";
import { buildRequest } from "../api/request.ts";
import { isMoving } from "../api/run-state.ts";
import { PatchedLog } from "./patched-log.ts";
import type { RunLog } from "./run-log.ts";
import type { FromWorker, LogQuery, RunFields, ToWorker } from "./run-messages.ts";

/** One read of a run, as the cache keeps it. Its log is in `api.runs.log(runId)`. */
export interface RunRead extends Moves, Omit<Envelope, "status"> {
  readonly data: RunFields;
  readonly damage: readonly Damage[];
  /** The log's version and length at this read, so that a new line is a change. */
  readonly log: { readonly version: number; readonly length: number };
}

/** Reads runs off the main thread. One per signed-in connection. */
export interface RunReader {
  /** Reads a run and brings its log up to date. Throws like `call`. */
  read(runId: string, options: { signal?: AbortSignal; poll?: boolean }): Promise<RunRead>;
  /** The log as far as it was read; empty before the first read. */
  log(runId: string): RunLog;
  /**
   * Searches all lines in the worker. `onHits` is told of line numbers, in order, as they are found.
   * @throws SyntaxError for a pattern that is none
   */
  search(
    runId: string,
    query: LogQuery,
    onHits: (lines: Uint32Array) => void,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Lets go of a log. */
  forget(runId: string): void;
  close(): void;
}

/** A worker, or in tests the desk itself. */
export interface Port {
  postMessage(message: ToWorker): void;
  /** Called once, before the first message. `onDeath`: the worker broke and will not answer. */
  listen(onMessage: (message: FromWorker) => void, onDeath: () => void): void;
  terminate(): void;
}

type Answered = Extract<FromWorker, { type: "unchanged" | "changed" }>;
interface Pending {
  readonly take: (message: FromWorker) => void;
  readonly fail: (error: unknown) => void;
}

const patience = 120_000;

/** @param spawn starts the worker; called at the first read, and again after a worker died */
export function createRunReader(api: Api, spawn: () => Port): RunReader {
  const logs = new Map<string, PatchedLog>();
  const reads = new Map<string, RunRead>();
  /** Which answer of the worker each log stands at. */
  const held = new Map<string, number>();
  const pending = new Map<number, Pending>();
  let port: Port | null = null;
  let lastId = 0;

  function connected(): Port {
    if (port) return port;
    const started = spawn();
    started.listen(
      (message) => pending.get(message.id)?.take(message),
      () => {
        // Out of memory, most likely. A new worker reads everything anew.
        started.terminate();
        port = null;
        held.clear();
        for (const one of [...pending.values()]) one.fail(new ConsoleError({ kind: "network" }, getRun.name));
      },
    );
    port = started;
    return started;
  }

  function ask<T>(
    message: (id: number) => ToWorker,
    signal: AbortSignal | undefined,
    take: (answer: FromWorker, done: (value: T) => void) => void,
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
        port?.postMessage({ type: "abort", id });
        reject(signal?.reason);
      };
      pending.set(id, {
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
      connected().postMessage(message(id));
    });
  }

  const logOf = (runId: string): PatchedLog => {
    const known = logs.get(runId);
    if (known) return known;
    const log = new PatchedLog();
    logs.set(runId, log);
    return log;
  };

  async function read(runId: string, { signal, poll = false }: { signal?: AbortSignal; poll?: boolean }) {
    const sentAt = api.clock.now();
    const answer = await send(api, getRun, { signal, poll }, (credential) => {
      const input = { query: { run_id: runId, ...ownerOf(api) } };
      const request = buildRequest({ base: api.base, credential }, getRun, input, { poll });
      const have = held.get(runId) ?? null;
      return ask<Answered>(
        (id) => ({ type: "read", id, runId, request, have, timeoutMs: patience }),
        signal,
        (message, done) => {
          if (message.type === "unchanged" || message.type === "changed") done(message);
        },
      );
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
  }

  function take(runId: string, { id, data, damage, patch }: Extract<FromWorker, { type: "changed" }>) {
    const log = logOf(runId);
    log.apply(patch);
    held.set(runId, id);
    return { data, damage, log: { version: log.version, length: log.length } };
  }

  return {
    read,
    log: logOf,
    async search(runId, query, onHits, signal) {
      if (query.regex) new RegExp(query.text);
      await ask<void>(
        (id) => ({ type: "search", id, runId, query }),
        signal,
        (message, done) => {
          if (message.type !== "hits") return;
          onHits(message.lines);
          if (message.done) done();
        },
      );
    },
    forget(runId) {
      logs.delete(runId);
      reads.delete(runId);
      held.delete(runId);
      port?.postMessage({ type: "forget", runId });
    },
    close() {
      port?.terminate();
      port = null;
      for (const one of [...pending.values()]) {
        one.fail(new DOMException("The session has ended", "AbortError"));
      }
    },
  };
}

function endOf(data: RunFields): string | null | undefined {
  return data.finished_ts;
}
