/** A limit on the time that something takes itself: what it waits for a place of ours is not counted. */
export interface TimeLimit {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Stops the clock, until `resume`. Twice is as once. */
  pause(): void;
  resume(): void;
  /** It is not needed any more. */
  end(): void;
}

/** @param ms by a clock that nobody sets */
export function startTimeLimit(ms: number): TimeLimit {
  const over = new AbortController();
  let left = ms;
  let since = 0;
  let timer: NodeJS.Timeout | null = null;
  const pause = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    left -= performance.now() - since;
  };
  const resume = () => {
    if (timer !== null || over.signal.aborted) return;
    since = performance.now();
    timer = setTimeout(
      () => over.abort(new DOMException("It took too long.", "TimeoutError")),
      Math.max(0, left),
    );
    timer.unref();
  };
  resume();
  return { signal: over.signal, pause, resume, end: pause };
}
