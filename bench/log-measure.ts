import type { CDPSession, Page } from "@playwright/test";

/** One way to show a log: where it is shown, and how to tell that its last line is there. */
export interface Subject {
  readonly name: string;
  readonly address: string;
  /** An expression in the page: the line (1-based) is there. */
  readonly has: (line: number, text: string) => string;
  /** An expression that makes the page read the run again. */
  readonly poll: string;
}

/** Notes when the last byte of a run's answer was in the browser, ms since 1970; asked before the page is opened. */
export function lastByte(page: Page): () => number | null {
  let at: number | null = null;
  page.on("requestfinished", (request) => {
    if (!/\/(?:run|get_pl_run\?run_id=run_\w+.*)$/.test(request.url())) return;
    const { startTime, responseEnd } = request.timing();
    at = responseEnd > 0 ? startTime + responseEnd : Date.now();
  });
  return () => at;
}

/**
 * Opens a page and waits for its tail.
 * @returns when it was on the screen, ms since 1970; null when that took longer than `limitMs`
 */
export async function tailAt(page: Page, subject: Subject, line: number, text: string, limitMs: number) {
  await page.addInitScript({ content: watchTail(subject.has(line, text)) });
  await page.goto(subject.address, { waitUntil: "commit" });
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    // Not waitForFunction, which the console's policy does not let make code of text.
    const at = await page.evaluate<number | undefined>("window.tailAt").catch(() => undefined);
    if (at !== undefined) return at;
    await new Promise((wake) => setTimeout(wake, 200));
  }
  return null;
}

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

/** Turns the real wheel over the log, up and down. @returns the time of each frame in ms */
export async function wheelFrames(page: Page, cdp: CDPSession, turns = 150): Promise<number[]> {
  await page.evaluate(countFrames);
  for (let turn = 0; turn < turns; turn += 1) {
    const deltaY = turn < (turns * 2) / 3 ? -240 : 240;
    await cdp.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: 600, y: 600, deltaX: 0, deltaY });
    await new Promise((wake) => setTimeout(wake, 12));
  }
  return page.evaluate<number[]>(countedFrames);
}
