import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "@playwright/test";
import * as z from "zod";
import { type LogService, sampleLog } from "../e2e/log-service.ts";
import type { Subject } from "./log-measure.ts";
import { type PlainPage, plainPage } from "./plain-browser.ts";

/** How many lines come with each poll. */
export const newLines = 200;
const pollLimitMs = 20_000;
const openLimitMs = 90_000;

/** What the main thread has worked, in ms. */
export interface MainThread {
  /** Its own time: what it worked. */
  readonly cpu: number;
  /** The time of its tasks, with what it waited in them for one of this machine's cores. */
  readonly tasks: number;
}

/** A viewer, and the log that it shows and that grows. */
export interface Polled {
  readonly subject: Subject;
  readonly logs: LogService;
  readonly id: string;
  readonly log: readonly string[];
  /** How often it grows. */
  readonly polls: number;
  /** What is to be done before the viewer can be opened. */
  readonly prepare: (page: Page) => Promise<void>;
}

/**
 * The main thread's work for each poll with new lines at the end of a log, less what the page does in the same time
 * without one.
 */
export async function pollWork(polled: Polled): Promise<MainThread[]> {
  const { subject, logs, id, log, polls } = polled;
  logs.set(id, log);
  const page = await plainPage((prepared) => open(prepared, polled));
  try {
    const worked = await mainThread(page);
    const works: MainThread[] = [];
    let lines = [...log];
    for (let poll = 0; poll < polls; poll += 1) {
      lines = [...lines, ...sampleLog(newLines, lines.length)];
      const isThere = subject.has(lines.length, `page ${lines.length - 1} `);
      const look = () => page.evaluate(isThere);
      const idleFrom = await worked();
      const idleSince = performance.now();
      // Looking costs the page something as well.
      while (performance.now() - idleSince < 1_000) {
        await look();
        await wait(100);
      }
      const from = await worked();
      const since = performance.now();
      const idleFor = since - idleSince;
      logs.set(id, lines);
      await page.evaluate(subject.poll);
      while ((await look()) !== true && performance.now() - since < pollLimitMs) await wait(100);
      await wait(200);
      if ((await look()) !== true) return works;
      const to = await worked();
      const took = performance.now() - since;
      const less = (key: keyof MainThread) =>
        Math.max(0, to[key] - from[key] - ((from[key] - idleFrom[key]) / idleFor) * took);
      works.push({ cpu: less("cpu"), tasks: less("tasks") });
    }
    return works;
  } finally {
    await page.close();
  }
}

/** Brings a page to the end of the log, and leaves it resting there. */
async function open(page: Page, { subject, log, prepare }: Polled): Promise<void> {
  await prepare(page);
  await page.goto(subject.address);
  const isThere = subject.has(log.length, `page ${log.length - 1} `);
  const deadline = performance.now() + openLimitMs;
  // Not waitForFunction, which the console's policy does not let make code of text.
  while (!(await page.evaluate<boolean>(isThere))) {
    if (performance.now() > deadline) throw new Error(`${subject.name} shows no tail`);
    await wait(100);
  }
  const follow = page.getByRole("switch", { name: "Follow" });
  if (subject.name === "ours" && !(await follow.isChecked())) await follow.check();
  await wait(1_500);
}

/** @returns asks what the main thread of a page has worked so far */
async function mainThread(page: PlainPage): Promise<() => Promise<MainThread>> {
  const counted = async (timeDomain: "threadTicks" | "timeTicks") => {
    const ask = await page.connect();
    await ask("Performance.enable", { timeDomain });
    return async () => {
      const { metrics } = counters.parse(await ask("Performance.getMetrics"));
      return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
    };
  };
  const [byThread, byClock] = [await counted("threadTicks"), await counted("timeTicks")];
  return async () => ({ cpu: await byThread(), tasks: await byClock() });
}

/** Durations are in seconds. */
const counters = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });
