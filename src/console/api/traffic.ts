import type { Clock } from "./clock.ts";
import { Store } from "./store.ts";

/** Why polls wait at the moment. `asked`: the service said so with `Retry-After`; `failing`: too much fails. */
export interface Hold {
  readonly reason: "asked" | "failing";
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** How one request ended, as far as spacing cares. `failed`: a 5xx, or nothing answered. */
export interface Outcome {
  readonly failed: boolean;
  readonly retryAfterMs: number | null;
}

export interface TrafficOptions {
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly hidden?: () => boolean;
}

/** When one poll left; null: it has its turn and may still wait for a sign-in or for another tab. */
interface Start {
  at: number | null;
}
interface Waiting {
  readonly go: (leave: Leave) => void;
}
/** Ends one request. Without an outcome it was given up and says nothing about the service. */
export type Leave = (outcome?: Outcome) => void;

const pollsPerSecond = 5;
const pollsInFlight = 4;
const hiddenSpacing = 60_000;
const remembered = 20;
const failuresToOpen = 5;
const firstPause = 1_000;
const longestPause = 8_000;

/**
 * Spaces the requests of one connection (C-24, C-32, C-36). What a person does goes at once. Polls share a budget: at
 * most 5 start in any second (1 a minute in a hidden tab, C-28) and 4 are under way, so that a click always finds a
 * free connection; they wait out `Retry-After`, and while too many requests fail only one tries, ever more rarely.
 */
export class Traffic {
  /** The wait that is in force; null while polls flow. */
  readonly hold = new Store<Hold | null>(null);
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #hidden: () => boolean;
  readonly #queue: Waiting[] = [];
  readonly #starts: Start[] = [];
  readonly #unsent = new Map<Leave, Start>();
  #outcomes: boolean[] = [];
  #polling = 0;
  #pauses = 0;
  #probing = false;
  #cancelTimer: (() => void) | null = null;

  constructor({ clock, random, hidden = () => false }: TrafficOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#hidden = hidden;
  }

  /**
   * Waits for a turn.
   * @returns what ends the request; must be called once, with its outcome
   * @throws the signal's reason when it is aborted while waiting
   */
  enter(poll: boolean, signal?: AbortSignal): Promise<Leave> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!poll) return Promise.resolve((outcome) => this.#report(outcome, false));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        go: (leave) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(leave);
        },
      };
      const onAbort = () => {
        const at = this.#queue.indexOf(waiting);
        if (at >= 0) this.#queue.splice(at, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#queue.push(waiting);
      this.#drain();
    });
  }

  /** What has entered leaves for the service now. Said by whoever had to wait for something else after its turn came. */
  sent(leave: Leave): void {
    const start = this.#unsent.get(leave);
    if (!start) return;
    start.at = this.#clock.now();
    this.#unsent.delete(leave);
  }

  /** Looks again, because the tab was shown or the network came back. */
  wake(): void {
    this.#drain();
  }

  #drain(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    while (this.#queue.length > 0) {
      if (this.#polling >= pollsInFlight || this.#probing) return;
      const wait = this.#waitMs();
      if (wait > 0) {
        this.#cancelTimer = this.#clock.after(wait, () => this.#drain());
        return;
      }
      const next = this.#queue.shift();
      if (!next) return;
      // After a pause for failures, one request goes ahead and finds out.
      const probe = this.hold.get()?.reason === "failing";
      this.#probing = probe;
      this.#polling += 1;
      const start: Start = { at: null };
      let left = false;
      const leave: Leave = (outcome) => {
        if (left) return;
        left = true;
        this.sent(leave);
        this.#polling -= 1;
        this.#report(outcome, probe);
      };
      this.#starts.push(start);
      this.#unsent.set(leave, start);
      next.go(leave);
    }
  }

  #waitMs(): number {
    const now = this.#clock.now();
    const hold = this.hold.get();
    if (hold && hold.until > now) return hold.until - now;
    if (hold?.reason === "asked") this.hold.set(null);
    const [share, span] = this.#hidden() ? [1, hiddenSpacing] : [pollsPerSecond, 1_000];
    const isOld = ({ at }: Start) => at !== null && at <= now - hiddenSpacing;
    while (this.#starts[0] && isOld(this.#starts[0])) this.#starts.shift();
    const times = this.#starts.map(({ at }) => at ?? now).toSorted((a, b) => a - b);
    const oldest = times.filter((at) => at > now - span).at(-share);
    return oldest === undefined ? 0 : oldest + span - now;
  }

  #report(outcome: Outcome | undefined, probe: boolean): void {
    if (probe) this.#probing = false;
    if (outcome) this.#learn(outcome, probe);
    this.#drain();
  }

  #learn({ failed, retryAfterMs }: Outcome, probe: boolean): void {
    const now = this.#clock.now();
    const open = this.hold.get()?.reason === "failing";
    if (!failed && open) {
      // Whoever gets through, the person or the probe, ends the pause.
      this.#outcomes = [];
      this.#pauses = 0;
      this.hold.set(null);
    }
    if (retryAfterMs !== null) {
      const until = now + this.#spread(retryAfterMs);
      if (until > (this.hold.get()?.until ?? 0)) this.hold.set({ reason: "asked", until });
      return;
    }
    this.#outcomes = [...this.#outcomes, failed].slice(-remembered);
    if (!failed || (open && !probe)) return;
    if (probe || this.#outcomes.filter(Boolean).length >= failuresToOpen) {
      const pause = Math.min(longestPause, firstPause * 2 ** this.#pauses);
      this.#pauses += 1;
      this.hold.set({ reason: "failing", until: now + this.#spread(pause) });
    }
  }

  /** Up to a quarter later, so that many tabs do not come back together. */
  #spread(ms: number): number {
    return Math.round(ms * (1 + 0.25 * this.#random()));
  }
}
