import type { Browser } from "@playwright/test";
import { serveFloor } from "./floor.ts";
import { floorMarks } from "./routes.ts";
import { type Visit, visit } from "./visit.ts";

const lateMs = 700;
const busyMs = 600;

/** What the bench's test of itself showed, in ms. */
export interface SelfCheck {
  readonly plain: number;
  /** Ready, with each script that much later. */
  readonly late: number;
  readonly plainBlocking: number;
  /** Blocking, with the main thread kept busy once. */
  readonly busyBlocking: number;
}

/**
 * Whether the figures would show what they claim: the floor's sign-in is made worse by known amounts, once in its scripts
 * and once on the main thread. Its scripts come one after the other, the entry and then the page's.
 * @throws Error when a known amount does not show
 */
export async function selfCheck(browser: Browser, folder: string, api: string): Promise<SelfCheck> {
  const url = "/sign-in";
  const served = await serveFloor(folder, api);
  const slow = await serveFloor(folder, api, lateMs);
  const open = (at: string, busy = 0): Promise<Visit> =>
    visit(browser, { url: at + url, marks: floorMarks, busyMs: busy });
  try {
    // The first visit of a browser's life pays for more than itself.
    await open(served.url);
    const plain = await open(served.url);
    const late = await open(slow.url);
    const busy = await open(served.url, busyMs);
    const found: SelfCheck = {
      plain: plain.ready,
      late: late.ready,
      plainBlocking: plain.blocking,
      busyBlocking: busy.blocking,
    };
    const added = found.late - found.plain;
    if (added < lateMs || added > 4 * lateMs)
      throw new Error(`Late scripts do not show: ${JSON.stringify(found)}`);
    if (found.busyBlocking - found.plainBlocking < busyMs / 2)
      throw new Error(`A busy main thread does not show: ${JSON.stringify(found)}`);
    return found;
  } finally {
    served.stop();
    slow.stop();
  }
}
