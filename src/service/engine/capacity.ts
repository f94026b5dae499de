/** Kept in this process for something that is about to be started. */
export interface Reservation<T> {
  /** What was started is there: takes it up as soon as there is room, or hands it out where that takes long. */
  take(what: T): void;
  /** It was not started, or has ended with its start. */
  free(): void;
}

/** How much one process runs at the same time: what the queue hands to it, and what it has started itself. */
export interface Capacity<T> {
  /**
   * For what this process is about to start itself: that needs no way through the queue.
   * @returns null where there is no room, nor soon will be: others may have some
   */
  reserve(): Reservation<T> | null;
  /** Runs what the queue has handed to this process as soon as there is room. */
  run(what: T): Promise<void>;
  /** Lets nothing more in; those who wait are handed out to others. @returns when nothing of its own is left */
  close(): Promise<void>;
}

/** Where room became free so long ago, in milliseconds, the next is worth waiting for. */
const soonMs = 100;
/** How long what was started here is in line at most, in milliseconds: others may have room. */
const inLineMs = 1_000;

/** What is done with an execution for which there is room, or will be none any more. None of it rejects for `reserve`d ones. */
interface Work<T> {
  /** @param leave called when it needs its room no more although it is not over yet */
  execute(what: T, leave: () => void): Promise<void>;
  handOut(what: T): Promise<void>;
}

/**
 * All wait in one line. What the process has started itself has half of the room at most: so there is always somebody for
 * what the queue has.
 */
export function createCapacity<T>(concurrency: number, { execute, handOut }: Work<T>): Capacity<T> {
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
  /** @returns false where it has left the line again, as it took too long */
  const enter = (isOwn: boolean) =>
    new Promise<boolean>((resolve) => {
      let patience: NodeJS.Timeout | undefined;
      const place = {
        isOwn,
        go() {
          clearTimeout(patience);
          resolve(true);
        },
      };
      line.push(place);
      callNext();
      if (!isOwn || !line.includes(place)) return;
      patience = setTimeout(() => {
        line.splice(line.indexOf(place), 1);
        resolve(false);
      }, inLineMs);
    });
  const through = async (what: T, isOwn: boolean) => {
    if (!(await enter(isOwn))) return handOut(what);
    let isInside = true;
    const leave = () => {
      if (!isInside) return;
      isInside = false;
      used--;
      if (isOwn) own--;
      leftAt = performance.now();
      callNext();
    };
    try {
      await (isClosed ? handOut(what) : execute(what, leave));
    } finally {
      leave();
    }
  };
  const free = () => {
    reserved--;
    if (isClosed && reserved === 0) closed();
  };

  return {
    reserve() {
      const hasRoom = reserved < most && used - own + reserved < concurrency;
      const soonHas = performance.now() - leftAt < soonMs && reserved < most * 8;
      if (isClosed || !(hasRoom || soonHas)) return null;
      reserved++;
      return {
        take: (what) => void through(what, true).finally(free),
        free() {
          if (own < most) leftAt = performance.now();
          free();
        },
      };
    },
    run: (what) => through(what, false),
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
