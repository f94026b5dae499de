import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Where a thread finds its own number. Linux alone has it, and alone says how long a thread has waited. */
const self = "/proc/thread-self";

/** The number of the calling thread; null where the system does not say. */
export function ownThread(): number | null {
  return existsSync(self) ? Number(basename(readlinkSync(self))) : null;
}

/**
 * How long a thread of this process has waited for a core of the machine so far, in ms.
 * @param thread as `ownThread` gave it; null and one that has ended: 0
 */
export function waitedMs(thread: number | null): number {
  if (thread === null) return 0;
  try {
    // On a core, waiting for one (both in ns), how often.
    const [, waited] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(waited) / 1e6;
  } catch {
    // It has ended.
    return 0;
  }
}
