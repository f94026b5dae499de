import { Worker } from "node:worker_threads";
import type { JsonValue } from "../json.ts";

/** The code threw, ran too long or used too much. The message is one plain sentence. */
export class CodeError extends Error {
  override readonly name = "CodeError";
  readonly broken: boolean;

  constructor(message: string, broken: boolean, cause?: unknown) {
    super(message, { cause });
    this.broken = broken;
  }
}

interface CodeOptions {
  readonly limitMs: number;
  readonly signal: AbortSignal;
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

/** What the thread answers: lines while it runs, then one end. */
export type CodeMessage =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "value"; readonly json: string }
  /** `broken`: the thread must not be used again. */
  | { readonly type: "error"; readonly message: string; readonly broken: boolean };

/**
 * @param threads run at the same time; further calls wait in order
 */
export function createCodeRunner(threads: number): CodeRunner {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const queue: (() => void)[] = [];
  let busy = 0;

  const acquire = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (busy < threads) {
      busy++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      queue.push(go);
      signal.addEventListener("abort", leave, { once: true });
    });
  };
  const release = () => {
    const next = queue.shift();
    if (next) next();
    else busy--;
  };
  const open = () => {
    const worker = startWorker();
    all.add(worker);
    worker.once("exit", () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
    return worker;
  };

  return {
    async run(source, inputs, options) {
      await acquire(options.signal);
      const worker = idle.pop() ?? open();
      try {
        const request = { source, inputs: JSON.stringify(inputs), limitMs: options.limitMs };
        const value = await converse(worker, request, options);
        idle.push(worker);
        return value;
      } catch (error) {
        // A thread that was stopped may hold anything: the next call gets a fresh one.
        if (error instanceof CodeError && !error.broken) idle.push(worker);
        else void worker.terminate();
        throw error;
      } finally {
        release();
      }
    },
    async close() {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function startWorker(): Worker {
  const options = { env: {}, resourceLimits: { maxOldGenerationSizeMb: 128 } };
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

function converse(worker: Worker, request: CodeRequest, options: CodeOptions): Promise<JsonValue> {
  return new Promise((resolve, reject) => {
    const { signal, limitMs, onLine } = options;
    // The thread stops itself; this is for one that cannot. The clock starts when it takes up the work.
    const timer = setTimeout(() => end(() => reject(tooLong(limitMs))), limitMs + 3_000);
    const onAbort = () => end(() => reject(signal.reason));
    const onError = (error: Error) =>
      end(() => reject(new CodeError(`the code was stopped: ${error.message}`, true)));
    const onExit = () =>
      end(() => reject(new CodeError("the code was stopped: it used too much memory", true)));
    const onMessage = (message: CodeMessage) => {
      if (message.type === "line") onLine(message.text);
      else if (message.type === "value") end(() => resolve(parsedValue(message.json)));
      else end(() => reject(new CodeError(message.message, message.broken)));
    };
    function end(settle: () => void) {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      worker.off("error", onError).off("exit", onExit).off("message", onMessage);
      // An error event without a listener would end the process.
      worker.on("error", () => undefined);
      settle();
    }
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort);
    worker.removeAllListeners("error");
    worker.on("error", onError).on("exit", onExit).on("message", onMessage);
    worker.postMessage(request);
  });
}

/** The code says what the text is: an error of its own, not one that nobody catches. */
async function parsedValue(json: string): Promise<JsonValue> {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new CodeError(noJson, false, cause);
  }
}

/** The sentence for code that overran. */
function tooLong(limitMs: number): CodeError {
  return new CodeError(`the code ran longer than ${limitMs / 1_000} s`, true);
}
