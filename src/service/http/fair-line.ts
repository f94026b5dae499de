/** Places that are given out in turn between those who want them. */
export interface FairLine {
  /**
   * Waits for a place.
   * @param who shares the places fairly with all others who wait, however many each wants
   * @returns gives the place back
   */
  enter(who: string): Promise<() => void>;
}

/**
 * @param places in all
 * @param each of one of them at most, so that others find a place at once
 */
export function createFairLine(places: number, each: number): FairLine {
  const held = new Map<string, number>();
  /** In the order in which they are let in next. */
  const waiting = new Map<string, (() => void)[]>();
  let free = places;
  const holds = (who: string) => held.get(who) ?? 0;
  const take = (who: string) => {
    free--;
    held.set(who, holds(who) + 1);
  };
  const letIn = () => {
    for (const [who, line] of waiting) {
      if (free === 0) return;
      if (holds(who) >= each) continue;
      waiting.delete(who);
      const [first, ...others] = line;
      // Who has just got one is the last of all for the next.
      if (others.length > 0) waiting.set(who, others);
      take(who);
      first?.();
    }
  };
  const giveBack = (who: string) => () => {
    free++;
    const left = holds(who) - 1;
    if (left === 0) held.delete(who);
    else held.set(who, left);
    letIn();
  };
  return {
    async enter(who) {
      if (free > 0 && holds(who) < each) take(who);
      else await new Promise<void>((go) => waiting.set(who, [...(waiting.get(who) ?? []), go]));
      return giveBack(who);
    },
  };
}
