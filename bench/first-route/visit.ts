import type { Browser, CDPSession, Page, Request } from "@playwright/test";
import { type Marks, type Probed, probe } from "./probe.ts";

/** What a visit goes to. */
export interface Aim {
  readonly url: string;
  readonly marks: Marks;
  /** What an earlier sign-in left in the tab's storage. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Keeps the main thread busy for so long before the page begins, for the bench's test of itself. */
  readonly busyMs?: number;
}

/** One request of a visit; times in ms since the navigation began. */
export interface Asked {
  readonly path: string;
  readonly type: string;
  readonly isScript: boolean;
  readonly isWorker: boolean;
  readonly start: number;
  readonly end: number;
}

/** What one cold visit showed. */
export interface Visit extends Omit<Probed, "longTasks"> {
  /** What each long task before ready had beyond 50 ms, in sum. */
  readonly blocking: number;
  readonly longestTask: number;
  /** Those that began before the page was ready. */
  readonly asked: readonly Asked[];
}

/** A slow laptop on a slow line: what the figures are measured with. */
export const conditions = { cpuSlowdown: 4, megabitsPerSecond: 9, roundTripMs: 170 } as const;
const screen = { width: 1440, height: 900 };
const limitMs = 60_000;

/** Opens an address in a browser that has nothing of it, as somebody who is signed in or not. */
export async function visit(browser: Browser, { url, marks, stored = {}, busyMs = 0 }: Aim): Promise<Visit> {
  const context = await browser.newContext({ viewport: screen });
  try {
    await context.addInitScript((entries) => {
      for (const [name, value] of Object.entries(entries)) sessionStorage.setItem(name, value);
    }, stored);
    await context.addInitScript(probe, marks);
    if (busyMs > 0)
      await context.addInitScript((ms) => {
        addEventListener("DOMContentLoaded", () => {
          const end = performance.now() + ms;
          while (performance.now() < end);
        });
      }, busyMs);
    const page = await context.newPage();
    await slowDown(await context.newCDPSession(page));
    const requests: Request[] = [];
    page.on("request", (request) => void requests.push(request));
    const workers = new Set<string>();
    page.on("worker", (worker) => void workers.add(worker.url()));
    await page.goto(url, { waitUntil: "commit" });
    const probed = await within(limitMs, url, probedBy(page));
    const began = await page.evaluate(() => performance.timeOrigin);
    return summed(probed, askedBefore(probed.ready, began, requests, workers));
  } finally {
    await context.close();
  }
}

async function slowDown(session: CDPSession): Promise<void> {
  const throughput = (conditions.megabitsPerSecond * 1_000_000) / 8;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: conditions.roundTripMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: conditions.cpuSlowdown });
}

async function probedBy(page: Page): Promise<Probed> {
  const probed = await page.evaluate(() => window.firstRouteProbe);
  if (probed === undefined) throw new Error("The page was not watched");
  return probed;
}

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} was not ready within ${ms} ms`)), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function askedBefore(
  ready: number,
  began: number,
  requests: readonly Request[],
  workers: ReadonlySet<string>,
): Asked[] {
  return requests.flatMap((request) => {
    const { startTime, responseEnd } = request.timing();
    if (startTime <= 0 || startTime - began > ready) return [];
    const { pathname, search } = new URL(request.url());
    return {
      path: pathname + search,
      type: request.resourceType(),
      isScript: /\.m?js$/.test(pathname),
      isWorker: workers.has(request.url()),
      start: startTime - began,
      end: responseEnd < 0 ? -1 : startTime - began + responseEnd,
    };
  });
}

function summed({ longTasks, ...at }: Probed, asked: readonly Asked[]): Visit {
  // What a task does after the page was ready is nobody's wait for it.
  const durations = longTasks.map(({ start, duration }) => Math.min(duration, at.ready - start));
  const blocking = durations.reduce((sum, duration) => sum + Math.max(0, duration - 50), 0);
  return { ...at, blocking, longestTask: Math.max(0, ...durations), asked };
}
