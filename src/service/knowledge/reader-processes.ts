import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { anySignal } from "../any-signal.ts";
import type { DocumentLimits } from "./document-limits.ts";
import type { ProcessAnswer, ProcessRequest } from "./document-reader.ts";

/** What a process says: once that it is ready, then an answer to each request. */
export type ProcessMessage =
  | { readonly type: "ready" }
  /** `isSpent`: it has grown so much that the next file should have a fresh one. */
  | { readonly type: "answer"; readonly answer: ProcessAnswer; readonly isSpent: boolean };

/** Processes that read documents. None is ever used for two tenants: what a file did to it is its tenant's own. */
export interface ReaderProcesses {
  /**
   * Asks the process of that tenant, which must be asked nothing else meanwhile.
   * @throws the signal's reason when it is aborted; an error where no process can be started
   */
  ask(tenant: string, request: ProcessRequest, signal: AbortSignal | undefined): Promise<ProcessAnswer>;
  close(): Promise<void>;
}

/** Milliseconds that a process without work is kept for further files of its tenant. */
const idleMs = 10_000;

interface Idle {
  readonly child: ChildProcess;
  readonly timer: NodeJS.Timeout;
}

/** @param most how many there are, those without work counted too */
export function createReaderProcesses(limits: DocumentLimits, most: number): ReaderProcesses {
  const all = new Set<ChildProcess>();
  /** The one that has been idle for longest comes first. */
  const idle = new Map<string, Idle>();

  function takeIdle(tenant: string): ChildProcess | null {
    const kept = idle.get(tenant);
    if (kept === undefined) return null;
    clearTimeout(kept.timer);
    idle.delete(tenant);
    // One that has just been ended by somebody else may not have said so yet.
    return kept.child.connected ? kept.child : null;
  }

  async function open(signal: AbortSignal | undefined): Promise<ChildProcess> {
    if (all.size >= most) {
      const [tenant] = idle.keys();
      if (tenant !== undefined) takeIdle(tenant)?.kill("SIGKILL");
    }
    const child = startProcess(limits);
    all.add(child);
    child.once("exit", () => {
      all.delete(child);
      for (const [tenant, kept] of idle) if (kept.child === child) takeIdle(tenant);
    });
    const first = await next(child, signal);
    signal?.throwIfAborted();
    if (first?.type === "ready") return child;
    child.kill("SIGKILL");
    throw new Error("The process that reads documents did not start.");
  }

  function keep(tenant: string, child: ChildProcess): void {
    const timer = setTimeout(() => takeIdle(tenant)?.kill("SIGKILL"), idleMs).unref();
    idle.set(tenant, { child, timer });
  }

  return {
    async ask(tenant, request, signal) {
      signal?.throwIfAborted();
      const child = takeIdle(tenant) ?? (await open(signal));
      const over = AbortSignal.timeout(limits.timeMs);
      const heard = next(child, signal ? anySignal([signal, over]) : over);
      child.send(request);
      const message = await heard;
      if (message?.type === "answer") {
        if (message.isSpent) child.kill("SIGKILL");
        else keep(tenant, child);
        return message.answer;
      }
      child.kill("SIGKILL");
      signal?.throwIfAborted();
      return { type: "unreadable", reason: over.aborted ? tooLong(limits) : tooLarge(limits) };
    },
    async close() {
      const gone = [...all].map((child) => new Promise((resolve) => child.once("exit", resolve)));
      for (const child of all) child.kill("SIGKILL");
      await Promise.all(gone);
    },
  };
}

/** What the process says next. @returns null where it has ended, cannot be started, or the signal is aborted */
function next(child: ChildProcess, signal: AbortSignal | undefined): Promise<ProcessMessage | null> {
  return new Promise((resolve) => {
    const onMessage = (message: ProcessMessage) => end(message);
    const onEnd = () => end(null);
    function end(message: ProcessMessage | null) {
      child.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      signal?.removeEventListener("abort", onEnd);
      resolve(message);
    }
    child.on("message", onMessage).on("exit", onEnd).on("error", onEnd);
    signal?.addEventListener("abort", onEnd);
    if (signal?.aborted || child.exitCode !== null || child.signalCode !== null) onEnd();
  });
}

function startProcess({ memoryMb }: DocumentLimits): ChildProcess {
  const isSource = import.meta.url.endsWith(".ts");
  const entry = isSource
    ? new URL("./document-process.ts", import.meta.url)
    : new URL("./document-process.js", import.meta.url);
  const child = fork(fileURLToPath(entry), [String(memoryMb)], {
    env: {},
    execArgv: [...(isSource ? sourceLoader() : []), `--max-old-space-size=${memoryMb}`],
    serialization: "advanced",
    // What a library prints is of no use to anybody.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  // An error event without a listener would end the service.
  child.on("error", () => undefined);
  return child;
}

/**
 * In development and in tests the sources run as they are, and the process needs a loader for TypeScript. What is loaded before
 * it is spared its work, which takes long for a library of this size.
 */
function sourceLoader(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const first = ["pdfjs-dist/legacy/build/pdf.worker.mjs", "pdfjs-dist/legacy/build/pdf.mjs", "tsx"];
  return first.flatMap((name) => ["--import", pathToFileURL(resolve(name)).href]);
}

function tooLong({ timeMs }: DocumentLimits): string {
  return `Reading the file takes longer than ${timeMs / 1_000} s.`;
}

function tooLarge({ memoryMb }: DocumentLimits): string {
  return `Reading the file needs more than ${memoryMb} MB of memory.`;
}
