import type { WorkerEnd } from "./calls.ts";
import type { FromWorker } from "./serve.ts";

/** The console's workers; the entry of a page says which file each of them is. */
export type WorkerName = "run-reader" | "bodies" | "markdown" | "compare" | "files" | "pdf";

/** Starts workers by their names. */
export interface Workers {
  /**
   * Starts a worker that serves calls.
   * @throws where this page has no such worker, or the browser starts none
   */
  start(name: WorkerName): WorkerEnd;
  /** The same as the browser's own object, for libraries that talk to it themselves. */
  startPlain(name: WorkerName): Worker;
}

/**
 * The workers of one page, each started from its own file.
 * @param urls the page's one policy for addresses of workers
 * @param files the address of each worker that this page has
 */
export function workersOf(
  window: Window & typeof globalThis,
  urls: WorkerUrls,
  files: Partial<Record<WorkerName, string>>,
): Workers {
  function startPlain(name: WorkerName): Worker {
    // Named for whoever looks at the page's threads. That this page has no such worker the policy says.
    return new window.Worker(urls(files[name] ?? name), { type: "module", name });
  }
  return {
    startPlain,
    start(name) {
      const worker = startPlain(name);
      return {
        postMessage: (message, transfer) => worker.postMessage(message, transfer),
        terminate: () => worker.terminate(),
        listen(onMessage, onDeath) {
          worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => onMessage(data));
          worker.addEventListener("error", onDeath);
          worker.addEventListener("messageerror", onDeath);
        },
      };
    },
  };
}

interface Policy {
  createScriptURL(url: string): unknown;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy;
}

/** Makes the addresses of our own workers usable under `require-trusted-types-for 'script'`. */
type WorkerUrls = (url: string) => string | URL;

/**
 * The one Trusted Types policy, `wheelhouse`: it passes script addresses of this origin that were named by the build,
 * and nothing else. Built once per page; a browser without Trusted Types gets the address as it is.
 * @param own the addresses of our workers (`?worker&url`)
 * @throws TypeError for any other address
 */
export function workerUrls(window: Window & { trustedTypes?: unknown }, own: readonly string[]): WorkerUrls {
  const check = (url: string): string => {
    const { origin } = new URL(url, window.location.href);
    if (own.includes(url) && origin === window.location.origin) return url;
    throw new TypeError("Not a worker of this console");
  };
  const factory = window.trustedTypes as PolicyFactory | undefined;
  if (!factory) return check;
  const policy = factory.createPolicy("wheelhouse", { createScriptURL: check });
  return (url) => policy.createScriptURL(url) as string;
}
