import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { NoAnswer, type PlainPage } from "./plain-browser.ts";

/** One way to show a log: where it is shown, and how to tell that its last line is there. */
export interface Subject {
  readonly name: string;
  readonly address: string;
  /** An expression in the page: the line (1-based) is there. */
  readonly has: (line: number, text: string) => string;
  /** An expression that makes the page read the run again. */
  readonly poll: string;
}

/** When a viewer had what it shows, and when it showed it, in ms since 1970. */
export interface Tail {
  /** The last byte of the run's answer was in the browser. */
  readonly arrived: number;
  /** The tail was on the screen. */
  readonly painted: number;
}

/** Opens a viewer and waits for its tail; null when that takes longer than `limitMs`. */
export async function tailOf(
  page: PlainPage,
  subject: Subject,
  line: number,
  text: string,
  limitMs: number,
): Promise<Tail | null> {
  await page.ask("Page.enable");
  await page.ask("Page.addScriptToEvaluateOnNewDocument", { source: watchTail(subject.has(line, text)) });
  await page.ask("Page.navigate", { url: subject.address });
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    // In between documents there is none to ask.
    const painted = await page.evaluate("window.tailAt").catch(() => undefined);
    if (typeof painted === "number") return { painted, arrived: await lastByte(page, painted) };
    await wait(200);
  }
  return null;
}

/** Asks the page and its workers, whoever of them has fetched the run. */
async function lastByte(page: PlainPage, before: number): Promise<number> {
  const answers = [await page.evaluate(arrivals), ...(await page.evaluateInWorkers(arrivals))];
  const times = z.array(z.array(z.number())).parse(answers).flat();
  const arrived = Math.max(...times.filter((time) => time <= before));
  if (!Number.isFinite(arrived)) throw new Error("Nobody has fetched the run");
  return arrived;
}

/** When each answer with a run was there as a whole. */
const arrivals = `performance.getEntriesByType("resource")
  .filter(({ name }) => /\\/(?:run|get_pl_run\\?run_id=run_\\w+.*)$/.test(name))
  .map(({ responseEnd }) => performance.timeOrigin + responseEnd)`;

/**
 * A script of the page: looks before each frame; a message sent there is heard when that frame has been painted. Text,
 * because the console's policy lets no page make code of text, and what runs this bench adds helpers to functions.
 */
const watchTail = (isThere: string) => `(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { window.tailAt = performance.timeOrigin + performance.now(); };
  const look = () => {
    if (!document.body || !(${isThere})) return requestAnimationFrame(look);
    port2.postMessage(null);
  };
  requestAnimationFrame(look);
})()`;

const countFrames = `(() => {
  window.frames_ = [];
  window.stopFrames = false;
  let last = performance.now();
  const step = (now) => {
    window.frames_.push(now - last);
    last = now;
    if (!window.stopFrames) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})()`;
const countedFrames = "window.stopFrames = true, window.frames_.slice(2)";

const turns = 150;
/** Each turn of the wheel is answered when the page has seen it: one that takes a second for each has shown enough. */
const turningLimitMs = 30_000;

/** Turns the real wheel over the log, up and down. @returns the time of each frame in ms; none from a page that is stuck */
export async function wheelFrames(page: PlainPage): Promise<number[]> {
  try {
    return await turnWheel(page);
  } catch (error) {
    if (error instanceof NoAnswer) return [];
    throw error;
  }
}

async function turnWheel(page: PlainPage): Promise<number[]> {
  await page.evaluate(countFrames);
  const deadline = performance.now() + turningLimitMs;
  for (let turn = 0; turn < turns && performance.now() < deadline; turn += 1) {
    const deltaY = turn < (turns * 2) / 3 ? -240 : 240;
    await page.ask("Input.dispatchMouseEvent", { type: "mouseWheel", x: 600, y: 600, deltaX: 0, deltaY });
    await wait(12);
  }
  return z.array(z.number()).parse(await page.evaluate(countedFrames));
}
