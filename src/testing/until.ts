import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits until the condition holds, looking every few milliseconds.
 * @throws Error naming what did not happen within `ms`
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  ms = 60_000,
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it did not happen within ${ms} ms: ${what}`);
    await delay(5);
  }
}
