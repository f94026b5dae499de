import { ConsoleError } from "./errors.ts";
import type { Hold } from "./traffic.ts";

/** What a policy looks at. Times are milliseconds since 1970; 0 means never. */
export interface PollState {
  /** Says whose poll it is, so that many of them do not beat in time. */
  readonly key: string;
  /** How many answers there were. */
  readonly reads: number;
  /** The last answer, changed or not. */
  readonly checkedAt: number;
  /** The last answer that brought something new. */
  readonly changedAt: number;
  /** The error of the last read; null after an answer. */
  readonly error: unknown;
  readonly failedAt: number;
  /** How many reads failed since the page was opened. */
  readonly failures: number;
  /** Something in the data can still change by itself. */
  readonly moving: boolean;
  /** Nothing moves, and that was read once more after it was first seen. */
  readonly settled: boolean;
  /** What the last answer cost to fetch and read, in milliseconds. */
  readonly tookMs: number;
}

/** How often a person wants the page to look. */
export type PollSetting = "auto" | "slower" | "paused";

/** The circumstances of all polls. */
export interface PollClock {
  readonly setting: PollSetting;
  readonly hidden: boolean;
  readonly online: boolean;
  /** Nobody is signed in, or the key is no longer accepted. */
  readonly signedOut: boolean;
  /** When the person last did something that changes things. */
  readonly actedAt: number;
  readonly hold: Hold | null;
  /** A number 0 ≤ x < 1 that is the same for the same seed: the interval must not change between two reads. */
  readonly random: (seed: string) => number;
}

/** Milliseconds until the next read, or false for none. Pure: the same answer until something is read or done. */
export type PollPolicy = (state: PollState, clock: PollClock) => number | false;

/** [time since the last change, interval] in ms; the last row holds for everything later. */
type Steps = readonly (readonly [until: number, every: number])[];

const runSteps: Steps = [
  [8_000, 500],
  [30_000, 1_000],
  [120_000, 2_000],
  [600_000, 5_000],
  [Number.POSITIVE_INFINITY, 15_000],
];
const movingListSteps: Steps = [
  [30_000, 2_000],
  [120_000, 5_000],
  [Number.POSITIVE_INFINITY, 10_000],
];
const idleListSteps: Steps = [
  [600_000, 20_000],
  [Number.POSITIVE_INFINITY, 60_000],
];
const finalRead = 1_000;
const hiddenEvery = 60_000;
const slowEvery = 60_000;
const editedEvery = 20_000;
const firstBackoff = 1_000;
const longestBackoff = 8_000;
const unreadableEvery = 30_000;

/** One thing that moves: a run, a turn. Fast after a change or an act, one more read after its end, then silence. */
export const watchRun: PollPolicy = (state, clock) => {
  if (state.settled) return false;
  const every = state.moving || state.checkedAt === 0 ? step(runSteps, state, clock) : finalRead;
  return paced(every, state, clock, true);
};

/** A list: watches closely while a row moves, looks in now and then while none does. Rests in a hidden tab. */
export const watchList: PollPolicy = (state, clock) =>
  paced(step(state.moving ? movingListSteps : idleListSteps, state, clock), state, clock, false);

/** What seldom changes: agents, flows, servers. */
export const slow: PollPolicy = (state, clock) => paced(slowEvery, state, clock, false);

/** What is being edited here: another person's save is to be seen before ours is sent. */
export const watchEdited: PollPolicy = (state, clock) => paced(editedEvery, state, clock, false);

/** What never changes by itself: it is asked for again only while it fails (C-20). */
export const once: PollPolicy = (state, clock) => state.error !== null && paced(0, state, clock, false);

function step(steps: Steps, state: PollState, clock: PollClock): number {
  const still = state.checkedAt - Math.max(state.changedAt, clock.actedAt);
  return (steps.find(([until]) => still < until) ?? steps.at(-1))?.[1] ?? slowEvery;
}

/** What holds for every policy: circumstances, errors, cost, jitter. */
function paced(every: number, state: PollState, clock: PollClock, inBackground: boolean): number | false {
  if (clock.signedOut || clock.setting === "paused") return false;
  if (clock.hidden && !inBackground) return false;
  const failure = state.error === null ? null : afterError(state, every);
  if (failure === false) return false;
  // Big bodies less often: reading takes at most a quarter of the time.
  const wished = Math.max(every * (clock.setting === "slower" ? 5 : 1), state.tookMs * 3, failure ?? 0);
  const wait = clock.hidden ? Math.max(wished, hiddenEvery) : wished;
  const spread = clock.random(`${state.key} ${state.reads} ${state.failedAt}`);
  return Math.round(failure === null ? wait * (0.9 + 0.2 * spread) : wait * (1 + 0.25 * spread));
}

/** Each wait is as long as it has been failing, so they double; false for errors that waiting does not mend. */
function afterError(state: PollState, every: number): number | false {
  const { error } = state;
  if (!(error instanceof ConsoleError)) return unreadableEvery;
  if (error.kind === "contract") return unreadableEvery;
  const status = error.status;
  if (error.kind === "http" && status !== null && status < 500 && status !== 408 && status !== 429)
    return false;
  if (status === 501) return false;
  const failing =
    state.checkedAt === 0
      ? Math.min(longestBackoff, firstBackoff * 2 ** (state.failures - 1))
      : Math.min(longestBackoff, state.failedAt - state.checkedAt);
  return Math.max(error.retryAfterMs ?? 0, every, failing);
}

/** The live chip: one word, its mark, and what stands behind it. */
export interface PollDescription {
  readonly word: "Live" | "Up to date" | "Paused" | "Slowed" | "Offline";
  readonly mark: "round" | "hollow" | "square";
  /** The last answer in milliseconds since 1970; null before the first. */
  readonly checkedAt: number | null;
  /** The interval in force in ms; null where nothing is asked by itself. */
  readonly everyMs: number | null;
  /** When the next read is due, where the person waits for it; null otherwise. */
  readonly nextAt: number | null;
  /** Why it is not simply live; null where it is. */
  readonly because: string | null;
}

/** Says in words what a policy does at the moment. */
export function describePoll(policy: PollPolicy, state: PollState, clock: PollClock): PollDescription {
  const wait = policy(state, clock);
  const everyMs = wait === false ? null : wait;
  const say = (
    word: PollDescription["word"],
    mark: PollDescription["mark"],
    because: string | null,
    nextAt: number | null = null,
  ): PollDescription => ({ word, mark, checkedAt: state.checkedAt || null, everyMs, nextAt, because });

  const kind = state.error instanceof ConsoleError ? state.error.kind : null;
  const due = Math.max(state.failedAt, state.checkedAt) + (everyMs ?? 0);
  if (clock.signedOut) return say("Paused", "hollow", "signed out");
  if (state.settled && state.error === null) return say("Up to date", "hollow", "finished");
  // What the browser says of itself needs no read that fails.
  if (kind === "network" || !clock.online) {
    return say(
      "Offline",
      "square",
      clock.online ? "the service is not responding" : "no network",
      everyMs && due,
    );
  }
  if (clock.hold) {
    const asked = clock.hold.reason === "asked";
    return say("Slowed", "square", asked ? "rate limited" : "many requests are failing", clock.hold.until);
  }
  if (state.error !== null) {
    return wait === false
      ? say("Paused", "hollow", "access refused")
      : say("Slowed", "square", "last refresh failed", due);
  }
  if (clock.setting === "paused") return say("Paused", "hollow", "by you");
  if (clock.hidden) return say("Paused", "hollow", "tab is hidden");
  return wait === false ? say("Up to date", "hollow", null) : say("Live", "round", null);
}
