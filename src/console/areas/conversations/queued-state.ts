import type { Queued } from "./outbox.ts";

/** How long a call may take before the page that made it must be gone, in ms. */
const callPatience = 120_000;
/** Whoever comes back after so long may no longer mean what was written, in ms. */
const longest = 24 * 3_600_000;

/**
 * `waits`: goes by itself when the turn ends. `sending`: is on its way. `unclear`: its page was closed on the way.
 * `refused`: was not taken. `old`: waited so long that its writer is asked first.
 */
export type QueuedState = "waits" | "sending" | "unclear" | "refused" | "old";

/** @param now ms since 1970 */
export function stateOfQueued(one: Queued, now: number): QueuedState {
  if (one.problem !== null) return "refused";
  if (one.sending !== null) return now - one.sending.at < callPatience ? "sending" : "unclear";
  return one.isAsked || now - one.at < longest ? "waits" : "old";
}
