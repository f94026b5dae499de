/** Kept in this process for something that is about to be started. */
export interface Reservation {
  /** What was started is there: takes it up as soon as there is room. */
  take(id: string): void;
  /** It was not started. */
  free(): void;
}

/** How much one process runs at the same time: what the queue hands to it, and what it has started itself. */
export interface Capacity {
  /**
   * For what this process is about to start itself: that needs no way through the queue.
   * @returns null where there is no room, nor soon will be: others may have some
   */
  reserve(): Reservation | null;
  /** Runs what the queue has handed to this process as soon as there is room. */
  run(id: string): Promise<void>;
  /** Lets nothing more in; those who wait are handed out to others. @returns when nothing of its own is left */
  close(): Promise<void>;
}

/** Where room became free so long ago, in milliseconds, the next is worth waiting for. */
const soonMs = 100;

/** What is done with an execution for which there is room, or will be none any more. None of it rejects for `reserve`d ones. */
interface Work {
  execute(id: string): Promise<void>;
  handOut(id: string): Promise<void>;
}

/**
 * All wait in one line. What the process has started itself has half of the room at most: so there is always somebody for
 * what the queue has.
 */
export function createCapacity(concurrency: number, { execute, handOut }: Work): Capacity {
  const most = Math.floor(concurrency / 2);
  const line: { readonly isOwn: boolean; readonly go: () => void }[] = [];
  let used = 0;
  let own = 0;
  /** Reserved and not over yet: about to be started, in line, or at work. */
  let reserved = 0;
  let leftAt = -soonMs;
  let isClosed = false;
  let closed = () => {};

  const callNext = () => {
    for (let at = 0; at < line.length && (isClosed || used < concurrency); ) {
      const next = line[at];
      if (next === undefined || (next.isOwn && own >= most && !isClosed)) at++;
      else {
        line.splice(at, 1);
        used++;
        if (next.isOwn) own++;
        next.go();
      }
    }
  };
  const enter = (isOwn: boolean) =>
    new Promise<void>((resolve) => {
      line.push({ isOwn, go: resolve });
      callNext();
    });
  const through = async (id: string, isOwn: boolean) => {
    await enter(isOwn);
    try {
      await (isClosed ? handOut(id) : execute(id));
    } finally {
      used--;
      if (isOwn) own--;
      leftAt = performance.now();
      callNext();
    }
  };
  const free = () => {
    reserved--;
    if (isClosed && reserved === 0) closed();
  };

  return {
    reserve() {
      const hasRoom = reserved < most && used - own + reserved < concurrency;
      const soonHas = performance.now() - leftAt < soonMs && reserved < most * 4;
      if (isClosed || !(hasRoom || soonHas)) return null;
      reserved++;
      return { take: (id) => void through(id, true).finally(free), free };
    },
    run: (id) => through(id, false),
    close() {
      isClosed = true;
      return new Promise((resolve) => {
        closed = resolve;
        if (reserved === 0) resolve();
        callNext();
      });
    },
  };
}
