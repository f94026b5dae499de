import type { ModelError } from "../models/model-error.ts";

/** How often and how long a turn waits for a model that fails. Milliseconds. */
export interface RetryPolicy {
  /** Calls in all. */
  readonly attempts: number;
  /** Before the second call; doubles each time. */
  readonly firstWait: number;
  readonly longestWait: number;
  /** A provider that asks for more is not waited for. */
  readonly longestAsked: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

export const defaultRetry: RetryPolicy = {
  attempts: 5,
  firstWait: 1_000,
  longestWait: 30_000,
  longestAsked: 300_000,
  random: Math.random,
};

/**
 * How long to wait after a failed call. A `Retry-After` is honoured and never shortened; the jitter keeps many turns that
 * failed together from coming back together.
 * @param attempt the number of the call that failed, from 1
 * @returns milliseconds, or null: no other try is worth it
 */
export function waitAfter(policy: RetryPolicy, attempt: number, error: ModelError): number | null {
  if (!error.retryable || attempt >= policy.attempts) return null;
  const asked = error.retryAfterMs ?? 0;
  if (asked > policy.longestAsked) return null;
  const backoff = Math.min(policy.longestWait, policy.firstWait * 2 ** (attempt - 1));
  const jittered = backoff * (0.5 + policy.random() / 2);
  return Math.round(Math.max(jittered, asked + policy.random() * Math.min(asked, 1_000) * 0.2));
}
