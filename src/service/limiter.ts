/** Lets so much work run at a time and the rest wait, in the order in which it came. */
export interface Limiter {
  <T>(work: () => Promise<T>): Promise<T>;
  /** How many wait. */
  readonly waiting: number;
}

export function createLimiter(concurrency: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  const limiter = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever waits takes over the place.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  return Object.defineProperty(limiter, "waiting", { get: () => waiting.length }) as Limiter;
}
