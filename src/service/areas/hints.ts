import { principalOf } from "../permission/roles.ts";
import type { Caller } from "./handler.ts";

/** What a process remembers of where a question was answered: where to look first. It holds no row, and costs time where it is wrong. */
export interface Hints<T> {
  /** Undefined: not known, or too long ago. */
  of(question: string): T | undefined;
  remember(question: string, hint: T): void;
}

const most = 1_000;
const keptMs = 600_000;

/** @param now milliseconds, never going back */
export function createHints<T>(now = () => performance.now()): Hints<T> {
  const known = new Map<string, { readonly hint: T; readonly at: number }>();
  return {
    of(question) {
      const last = known.get(question);
      return last !== undefined && now() - last.at < keptMs ? last.hint : undefined;
    },
    remember(question, hint) {
      known.delete(question);
      known.set(question, { hint, at: now() });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}

/**
 * What a hint about a list is sure for, beside the question: who asks, and of what.
 * @param scope teams or agents that the list is narrowed to; null: all that they may see
 */
export function hintScope(caller: Caller, ...scope: readonly (string | null)[]): string {
  return JSON.stringify([principalOf(caller), ...scope]);
}
