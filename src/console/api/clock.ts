/** Time as the data layer sees it, so that tests can own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after `ms`; the returned function takes that back. */
  after(ms: number, run: () => void): () => void;
}

/** The browser's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};

/** `Date` has whole seconds and travels: less than this is no skew. */
const tolerance = 2_500;

/** What time it is at the service, learned from the `Date` of its answers (C-27). */
export class ServerClock {
  readonly #clock: Clock;
  #skew = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the `Date` of an answer and when it came, both in milliseconds since 1970. */
  observe(serverDate: number | null, receivedAt: number): void {
    if (serverDate === null) return;
    const skew = serverDate + 500 - receivedAt;
    this.#skew = Math.abs(skew) <= tolerance ? 0 : skew;
  }

  /** Milliseconds since 1970 by the service's clock; relative times and running durations count from it. */
  readonly now = (): number => this.#clock.now() + this.#skew;
}
