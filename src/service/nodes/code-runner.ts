import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { anySignal } from "../any-signal.ts";
import type { JsonValue } from "../json.ts";
import { createLimiter, type Requester } from "../limiter.ts";
import { waitedMs } from "./thread-time.ts";

/** The code threw, ran too long or used too much. The message is one plain sentence. */
export class CodeError extends Error {
  override readonly name = "CodeError";
  readonly broken: boolean;
  /** It ran too long: on another day it may not. */
  readonly overran: boolean;

  constructor(message: string, broken: boolean, more: { readonly overran?: boolean; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.broken = broken;
    this.overran = more.overran ?? false;
  }
}

/**
 * How many threads a process has for code: one core stays with its own steps and the database, for which everybody waits. No
 * more than four, as each may take 200 MB.
 */
export const codeThreads = Math.max(1, Math.min(availableParallelism() - 1, 4));

interface CodeOptions {
  /** Of the code itself: what it waits for a thread is not counted. */
  readonly limitMs: number;
  /** Hears `onStart` when it has its thread. Its signal ends the wait and the code. */
  readonly requester: Requester;
  onLine(text: string): void;
}

/** Runs JavaScript of flows apart from the service: in QuickJS, in a worker thread that is ended when it overruns. */
export interface CodeRunner {
  /**
   * @param source the body of a function with one argument, `inputs`
   * @returns what it returns, as JSON
   * @throws CodeError; the signal's reason when it is aborted
   */
  run(source: string, inputs: JsonValue, options: CodeOptions): Promise<JsonValue>;
  close(): Promise<void>;
}

/** The sentence for code that meddled with how its value is read. */
export const noJson = "the code returned something that is no JSON";

/** What the service sends to the thread. */
export interface CodeRequest {
  readonly source: string;
  readonly inputs: string;
  readonly limitMs: number;
}

/** What the thread says: once that it is ready; then of each request lines while it runs, and one end. */
export type CodeMessage =
  | { readonly type: "ready"; readonly thread: number | null }
  | { readonly type: "line"; readonly text: string }
  | CodeEnd;

/** What a request came to. `broken`: the thread must not be used again. */
export type CodeEnd =
  | { readonly type: "value"; readonly json: string; readonly broken: boolean }
  | {
      readonly type: "error";
      readonly message: string;
      readonly broken: boolean;
      readonly overran?: boolean;
    };

/**
 * @param threads run at the same time; further calls wait, and tenants take turns
 * @param spare further ones for tenants that have none: long code of one does not keep the others waiting
 */
export function createCodeRunner(threads: number, spare = 0): CodeRunner {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const limiter = createLimiter({ places: threads, spare });

  const open = () => {
    const worker = startWorker();
    all.add(worker);
    worker.once("exit", () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    return worker;
  };
  const putBack = (worker: Worker) => {
    if (idle.length < threads) idle.push(worker);
    else void worker.terminate();
  };

  return {
    run(source, inputs, options) {
      const { requester, limitMs } = options;
      // It has its place when the thread that it has is there.
      const forPlace = { ...requester, onStart: undefined };
      return limiter.run(forPlace, async () => {
        let worker = idle.pop();
        try {
          if (worker === undefined) {
            requester.onWait?.(null);
            worker = open();
            await untilReady(worker, requester.signal);
          }
          requester.onStart?.();
          const request = { source, inputs: JSON.stringify(inputs), limitMs };
          const { value, broken } = await converse(worker, request, options);
          if (broken) void worker.terminate();
          else putBack(worker);
          return value;
        } catch (error) {
          // A thread that was stopped may hold anything: the next call gets a fresh one.
          if (worker && error instanceof CodeError && !error.broken) putBack(worker);
          else void worker?.terminate();
          throw error;
        }
      });
    },
    async close() {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function startWorker(): Worker {
  // The sandbox's own limit of its stack comes first: beyond the thread's own it would be lost.
  const options = { env: {}, resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 16 } };
  const worker = import.meta.url.endsWith(".ts")
    ? new Worker(sourceBootstrap, { ...options, eval: true, workerData: import.meta.url })
    : new Worker(new URL("./code-thread.js", import.meta.url), options);
  worker.unref();
  return worker;
}

/** In development and in tests the sources run as they are, and the thread needs a loader for TypeScript of its own. */
const sourceBootstrap = `
const { workerData } = require("node:worker_threads");
import("tsx/esm/api").then(({ tsImport }) => tsImport("./code-thread.ts", workerData));
`;

/** Tells what it says to `over`, until that has an end for it; a thread that is lost and the signal end it too. */
function hear<T>(
  worker: Worker,
  signal: AbortSignal | undefined,
  over: (message: CodeMessage) => (() => T) | null,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => end(() => throwing(signal?.reason));
    const onError = (error: Error) => end(() => throwing(stopped(error.message)));
    const onExit = () => end(() => throwing(stopped("it used too much memory")));
    const onMessage = (message: CodeMessage) => {
      const result = over(message);
      if (result) end(result);
    };
    function end(result: () => T) {
      signal?.removeEventListener("abort", onAbort);
      worker.off("error", onError).off("exit", onExit).off("message", onMessage);
      // An error event without a listener would end the process.
      worker.on("error", () => undefined);
      try {
        resolve(result());
      } catch (error) {
        reject(error);
      }
    }
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort);
    worker.removeAllListeners("error");
    worker.on("error", onError).on("exit", onExit).on("message", onMessage);
  });
}

/** The numbers of the threads that are there, as `ownThread` has them. */
const threads = new WeakMap<Worker, number | null>();

/** A thread is there when its sandbox is: until then nobody's time runs. */
function untilReady(worker: Worker, signal: AbortSignal | undefined): Promise<void> {
  return hear(worker, signal, (message) => {
    if (message.type !== "ready") return null;
    threads.set(worker, message.thread);
    return () => undefined;
  });
}

async function converse(
  worker: Worker,
  request: CodeRequest,
  { requester, limitMs, onLine }: CodeOptions,
): Promise<{ readonly value: JsonValue; readonly broken: boolean }> {
  // The thread stops itself, and leaves out what it waits for a core of the machine; this is for one that cannot.
  const overrun = new AbortController();
  const thread = threads.get(worker) ?? null;
  const mostMs = limitMs + 3_000;
  const [began, waited] = [performance.now(), waitedMs(thread)];
  const look = () => {
    const left = mostMs - (performance.now() - began) + waitedMs(thread) - waited;
    if (left <= 0) overrun.abort(tooLong(limitMs));
    else timer = setTimeout(look, left);
  };
  let timer = setTimeout(look, mostMs);
  const signal = anySignal([overrun.signal, ...(requester.signal ? [requester.signal] : [])]);
  try {
    const heard = hear(worker, signal, (message) => {
      if (message.type === "value")
        return () => ({ value: parsedValue(message.json), broken: message.broken });
      if (message.type === "error")
        return () => throwing(new CodeError(message.message, message.broken, message));
      if (message.type === "line") onLine(message.text);
      return null;
    });
    worker.postMessage(request);
    return await heard;
  } finally {
    clearTimeout(timer);
  }
}

/** The code says what the text is: an error of its own, not one that nobody catches. */
function parsedValue(json: string): JsonValue {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new CodeError(noJson, false, { cause });
  }
}

function throwing(error: unknown): never {
  throw error;
}

function stopped(why: string): CodeError {
  return new CodeError(`the code was stopped: ${why}`, true);
}

/** The sentence for code that overran. */
function tooLong(limitMs: number): CodeError {
  return new CodeError(`the code ran longer than ${limitMs / 1_000} s`, true, { overran: true });
}
