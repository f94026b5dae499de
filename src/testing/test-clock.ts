import type { Clock } from "../console/api/clock.ts";

/** Time that moves only when a test says so. */
export interface TestClock extends Clock {
  /** Moves on by `ms`, calling what falls due on the way, in order; lets promises settle in between. */
  pass(ms: number): Promise<void>;
}

/** @param start milliseconds since 1970 */
export function testClock(start = Date.parse("2026-11-20T08:15:00Z")): TestClock {
  let now = start;
  let due: { at: number; run: () => void }[] = [];
  const settle = async () => {
    for (let i = 0; i < 10; i += 1) await Promise.resolve();
  };
  return {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run };
      due.push(entry);
      return () => {
        due = due.filter((one) => one !== entry);
      };
    },
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        due = due.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.run();
        await settle();
      }
      now = end;
    },
  };
}
