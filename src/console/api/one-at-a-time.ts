import type { Clock } from "./clock.ts";

/** The parts of the browser's lock manager that are used. */
export type Locks = Pick<LockManager, "request">;

/** Between the end of an answer and the moment at which a tab that waited for it has surely heard it, in ms. */
const onItsWay = 100;

/**
 * Waits until no other tab of this browser holds the lock of this name, and takes it.
 * @param timeoutMs ms after which it is taken from whoever holds it: a tab that hangs must hang no other
 * @returns what lets go of it. Where the browser gives no locks, at once
 * @throws the signal's reason when aborted
 */
export async function takeTurn(
  locks: Locks,
  name: string,
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<() => void> {
  const hold = (options: LockOptions): Promise<(() => void) | null> =>
    new Promise((resolve, reject) => {
      const take = (lock: Lock | null): Promise<void> | null => {
        if (lock) return new Promise<void>((release) => resolve(release));
        resolve(null);
        return null;
      };
      // Also rejects when the lock is taken away later; then that is long settled.
      locks.request(name, options, take).catch(reject);
    });
  const alone = () => {};
  let release = await hold({ ifAvailable: true }).catch(() => alone);
  if (release === null) {
    const waiting = new AbortController();
    const stop = () => waiting.abort();
    signal.addEventListener("abort", stop, { once: true });
    const forget = clock.after(timeoutMs, stop);
    if (signal.aborted) stop();
    release = await hold({ signal: waiting.signal }).catch(() => null);
    forget();
    signal.removeEventListener("abort", stop);
    // Its answer and its lock come by different ways.
    if (release) await pause(onItsWay, clock, signal);
    else if (!signal.aborted) release = await hold({ steal: true }).catch(() => alone);
  }
  if (!signal.aborted) return release ?? alone;
  release?.();
  throw signal.reason;
}

/** Ends early when aborted. */
function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const forget = clock.after(ms, () => end());
    const end = () => {
      forget();
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });
}
