import { createLimiter, type Limiter, type LimiterOptions, type Requester } from "../limiter.ts";

/** How many requests to one place outside are under way at a time; a tenant that has none there finds one of the spare. */
const placesEach: LimiterOptions = { places: 50, spare: 10 };

/** Lets so much be under way at a time to each host or server; what waits takes turns, as in a `Limiter`. */
export interface Places {
  /**
   * @param where what the work goes to, such as an origin
   * @throws the signal's reason when it is aborted before the work has begun; what the work throws
   */
  run<T>(where: string, requester: Requester, work: () => Promise<T>): Promise<T>;
  /** To how many of them anything is under way or waits: no others are kept in memory. */
  readonly size: number;
}

/** Places of this process: others have their own. */
export function createPlaces(options: LimiterOptions = placesEach): Places {
  const known = new Map<string, { readonly limiter: Limiter; users: number }>();
  return {
    get size() {
      return known.size;
    },
    async run(where, requester, work) {
      const entry = known.get(where) ?? { limiter: createLimiter(options), users: 0 };
      known.set(where, entry);
      entry.users++;
      try {
        return await entry.limiter.run(requester, work);
      } finally {
        entry.users--;
        if (entry.users === 0) known.delete(where);
      }
    },
  };
}
