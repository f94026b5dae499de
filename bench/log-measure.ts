import type { CDPSession, Page } from "@playwright/test";

/** One way to show a log: where it is shown, and how to tell that its last line is there. */
export interface Subject {
  readonly name: string;
  readonly address: string;
  /** An expression in the page: the line (1-based) is there. */
  readonly has: (line: number, text: string) => string;
  /** Makes the page read the run again; null where it does so by itself. */
  readonly poll: string | null;
}

/**
 * Opens a page and waits for its tail.
 * @returns when it was on the screen, ms since 1970; null when that took longer than `limitMs`
 */
export async function tailAt(page: Page, subject: Subject, line: number, text: string, limitMs: number) {
  await page.addInitScript(watchTail, subject.has(line, text));
  await page.goto(subject.address, { waitUntil: "commit" });
  return page
    .waitForFunction(() => (window as unknown as { tailAt?: number }).tailAt, null, {
      timeout: limitMs,
      polling: 200,
    })
    .then((handle) => handle.jsonValue().then((value) => value ?? null))
    .catch(() => null);
}

/** In the page: looks before each frame; the frame after the one that found it has painted it. */
function watchTail(expression: string): void {
  const isThere = new Function(`return ${expression}`) as () => boolean;
  const look = () => {
    if (document.body && isThere()) {
      requestAnimationFrame(() => {
        (window as unknown as { tailAt: number }).tailAt = performance.timeOrigin + performance.now();
      });
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Turns the real wheel over the log, up and down. @returns the time of each frame in ms */
export async function wheelFrames(page: Page, cdp: CDPSession, turns = 150): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const step = (now: number) => {
      frames.push(now - last);
      last = now;
      if ((window as unknown as { stopFrames?: boolean }).stopFrames !== true) requestAnimationFrame(step);
    };
    Object.assign(window, { frames, stopFrames: false });
    requestAnimationFrame(step);
  });
  for (let turn = 0; turn < turns; turn += 1) {
    const deltaY = turn < (turns * 2) / 3 ? -240 : 240;
    await cdp.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: 600, y: 600, deltaX: 0, deltaY });
    await new Promise((wake) => setTimeout(wake, 12));
  }
  return page.evaluate(() => {
    const found = window as unknown as { frames: number[]; stopFrames: boolean };
    found.stopFrames = true;
    return found.frames.slice(2);
  });
}

/** What the main thread has worked in all, in ms. */
export async function mainThread(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}
