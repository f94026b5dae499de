import { setImmediate } from "node:timers/promises";

let last = Promise.resolve();

/**
 * A turn of the event loop in which nothing else goes on that has asked for one: what is done in steps by many at once would
 * hold up all else together, as all their steps would come in the same turn.
 * @returns resolves when it has begun
 */
export function eventLoopTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
