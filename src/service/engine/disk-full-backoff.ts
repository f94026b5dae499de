import { BoundedMap } from "../store/bounded-map.ts";

/** Executions that one process remembers. */
const maxExecutions = 10_000;
/** Seconds between two tries at most: whoever makes room wants to see that it helped. */
const longestPause = 30;

/** How executions of this process wait for room on a disk that is full. */
export interface DiskFullBackoff {
  /** There was no room for this one, once more. */
  next(id: string): { readonly pauseSeconds: number; readonly isFirst: boolean };
  /** It went on. */
  over(id: string): void;
}

/** Pauses of one second, then twice as long each time, up to half a minute. */
export function createDiskFullBackoff(): DiskFullBackoff {
  const tries = new BoundedMap<number>(maxExecutions);
  return {
    next(id) {
      const before = tries.get(id) ?? 0;
      tries.set(id, before + 1);
      return { pauseSeconds: Math.min(2 ** before, longestPause), isFirst: before === 0 };
    },
    over: (id) => tries.delete(id),
  };
}
