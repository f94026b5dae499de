import { setTimeout as delay } from "node:timers/promises";

/** What a throttle measures and waits with; for tests. */
export interface Pace {
  /** Milliseconds, of a clock that only goes on. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const real: Pace = {
  now: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal }),
};

/** So many milliseconds of the rate may be caught up with after something else was slow. */
const burstMs = 1_000;

/**
 * Holds what is moved to a rate.
 * @param bytesPerSecond null: no limit
 * @returns to be called with the bytes of each move before it; resolves when it may be made
 */
export function createThrottle(
  bytesPerSecond: number | null,
  signal: AbortSignal,
  pace: Pace = real,
): (bytes: number) => Promise<void> {
  let next = pace.now();
  return async (bytes) => {
    signal.throwIfAborted();
    if (bytesPerSecond === null) return;
    const now = pace.now();
    next = Math.max(next, now - burstMs);
    if (next > now) await pace.wait(next - now, signal);
    next += (bytes / bytesPerSecond) * 1_000;
  };
}
