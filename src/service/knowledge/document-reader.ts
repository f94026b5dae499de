import { Worker } from "node:worker_threads";
import type { FileKind } from "./file-kind.ts";
import type { DocumentPage, Passage } from "./passages.ts";

export interface DocumentRequest {
  readonly kind: FileKind;
  readonly bytes: Uint8Array;
}

/** A sentence for the person who sent the file. */
interface Unreadable {
  readonly type: "unreadable";
  readonly reason: string;
}
interface Pages {
  readonly type: "pages";
  readonly pages: readonly DocumentPage[];
  readonly pageCount: number | null;
}
interface Passages {
  readonly type: "passages";
  readonly passages: readonly Passage[];
}

/** What the service sends to the thread. */
export interface ThreadRequest extends DocumentRequest {
  readonly wanted: "pages" | "passages";
}
export type ThreadAnswer = Pages | Passages | Unreadable;

/** Reads documents apart from the service: in a thread that is ended when a file takes too much time or memory. */
export interface DocumentReader {
  /**
   * The text of a document. One is read at a time, the others wait in order.
   * @throws the signal's reason when it is aborted
   */
  read(request: DocumentRequest, signal: AbortSignal): Promise<Pages | Unreadable>;
  /** The same, cut into passages: of a long text that takes seconds, in which the service must go on. */
  cut(request: DocumentRequest, signal: AbortSignal): Promise<Passages | Unreadable>;
  close(): Promise<void>;
}

interface ReaderLimits {
  /** Milliseconds for one file. */
  readonly timeMs: number;
  /** How much the whole process may grow while a file is read, in megabytes. */
  readonly memoryMb: number;
}

const defaults: ReaderLimits = { timeMs: 120_000, memoryMb: 800 };
const lookMs = 100;

export function createDocumentReader(limits: ReaderLimits = defaults): DocumentReader {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function startNew(): Worker {
    const thread = startThread(limits);
    worker = thread;
    // It may end between two files, by what the first left behind: the second must not wait for it.
    thread.once("exit", () => {
      if (worker === thread) worker = null;
    });
    return thread;
  }

  async function readNow(request: ThreadRequest, signal: AbortSignal): Promise<ThreadAnswer> {
    signal.throwIfAborted();
    const thread = worker ?? startNew();
    const { answer, broken } = await converse(thread, request, limits, signal);
    if (broken) {
      worker = null;
      await thread.terminate();
      // What it was aborted for, if it was.
      signal.throwIfAborted();
    }
    return answer;
  }

  function serialize(request: ThreadRequest, signal: AbortSignal): Promise<ThreadAnswer> {
    const turn = last.then(() => readNow(request, signal));
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    async read(request, signal) {
      const answer = await serialize({ ...request, wanted: "pages" }, signal);
      if (answer.type === "passages") throw new Error("the thread answered another question");
      return answer;
    },
    async cut(request, signal) {
      const answer = await serialize({ ...request, wanted: "passages" }, signal);
      if (answer.type === "pages") throw new Error("the thread answered another question");
      return answer;
    },
    async close() {
      await worker?.terminate();
    },
  };
}

function startThread({ memoryMb }: ReaderLimits): Worker {
  // What a library prints is of no use to anybody.
  const options = {
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb / 2 },
  };
  const worker = import.meta.url.endsWith(".ts")
    ? new Worker(sourceBootstrap, { ...options, eval: true, workerData: import.meta.url })
    : new Worker(new URL("./document-thread.js", import.meta.url), options);
  worker.stdout.resume();
  worker.stderr.resume();
  worker.unref();
  // An error event without a listener would end the process.
  worker.on("error", () => undefined);
  return worker;
}

/** In development and in tests the sources run as they are, and the thread needs a loader for TypeScript of its own. */
const sourceBootstrap = `
const { workerData } = require("node:worker_threads");
import("tsx/esm/api").then(({ tsImport }) => tsImport("./document-thread.ts", workerData));
`;

const unreadable = (reason: string) => ({ answer: { type: "unreadable", reason } as const, broken: true });

/** @returns `broken` where the thread must not be used again */
function converse(
  worker: Worker,
  { bytes, ...request }: ThreadRequest,
  { timeMs, memoryMb }: ReaderLimits,
  signal: AbortSignal,
): Promise<{ readonly answer: ThreadAnswer; readonly broken: boolean }> {
  return new Promise((resolve) => {
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => {
      const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
      if (grown > memoryMb) end(unreadable(`Reading the file needs more than ${memoryMb} MB of memory.`));
    }, lookMs);
    const timer = setTimeout(
      () => end(unreadable(`Reading the file takes longer than ${timeMs / 1_000} s.`)),
      timeMs,
    );
    const onMessage = (answer: ThreadAnswer) => end({ answer, broken: false });
    const onExit = () => end(unreadable("There is not enough memory to read the file."));
    const onAbort = () => end(unreadable("It was stopped."));
    function end(outcome: { readonly answer: ThreadAnswer; readonly broken: boolean }) {
      clearInterval(watch);
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("exit", onExit);
      resolve(outcome);
    }
    worker.on("message", onMessage).on("exit", onExit);
    signal.addEventListener("abort", onAbort);
    // A copy of its own: the buffer of a small file is shared with others.
    const own = Uint8Array.from(bytes);
    worker.postMessage({ ...request, bytes: own }, [own.buffer]);
  });
}
