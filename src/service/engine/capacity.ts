/** Kept in this process for something that is about to be started. */
export interface Reservation {
  /** What was started is there: takes it up. */
  take(id: string): void;
  /** It was not started. */
  free(): void;
}

/** How much one process runs at the same time: what the queue hands to it, and what it has started itself. */
export interface Capacity {
  /**
   * For what this process starts itself: that needs no way through the queue. At most half of all, so that there is always
   * somebody for what the queue has.
   * @returns null where there is no room
   */
  reserve(): Reservation | null;
  /** Runs what the queue has handed to this process as soon as there is room. */
  run(work: () => Promise<void>): Promise<void>;
  /** Reserves nothing more, and lets all who wait go on. @returns when nothing of its own runs any more */
  close(): Promise<void>;
}

/** @param takeUp one execution that this process has started, until it lets it go; never rejects */
export function createCapacity(concurrency: number, takeUp: (id: string) => Promise<void>): Capacity {
  const most = Math.floor(concurrency / 2);
  const waiting: (() => void)[] = [];
  let used = 0;
  let own = 0;
  let isClosed = false;
  let closed = () => {};

  const leave = () => {
    used--;
    waiting.shift()?.();
  };
  const free = () => {
    own--;
    leave();
    if (own === 0) closed();
  };

  return {
    reserve() {
      if (isClosed || own >= most || used >= concurrency) return null;
      used++;
      own++;
      return { take: (id) => void takeUp(id).finally(free), free };
    },
    async run(work) {
      // Whoever leaves calls one who waits; somebody else may have come before him.
      while (used >= concurrency && !isClosed) await new Promise<void>((resolve) => waiting.push(resolve));
      used++;
      await work().finally(leave);
    },
    close() {
      isClosed = true;
      for (const call of waiting.splice(0)) call();
      return new Promise((resolve) => {
        closed = resolve;
        if (own === 0) resolve();
      });
    },
  };
}
