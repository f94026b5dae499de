/** Counts how long a worker has something without being at it, by a clock that nobody sets. */
export interface IdleTime {
  start(): void;
  stop(): void;
  /** Milliseconds so far. */
  ms(): number;
}

/** Counts from now on. */
export function idleTime(): IdleTime {
  let before = 0;
  let since: number | null = performance.now();
  const ms = () => before + (since === null ? 0 : performance.now() - since);
  return {
    start() {
      since ??= performance.now();
    },
    stop() {
      before = ms();
      since = null;
    },
    ms,
  };
}
