/** What the outside has seen: every attempt of an effect, and what had been recorded by then. Nothing in it is ever lost. */
export interface Ledger {
  /** A moment, later than all before. */
  tick(): number;
  /** Somebody has an effect outside. @param begun when the attempt at the execution began, by `tick` */
  attempt(id: string, key: string, begun: number): void;
  /** The engine has said that it is recorded. */
  recorded(id: string, key: string): void;
  /** How often each effect of an execution was attempted, by key. */
  attempts(id: string): ReadonlyMap<string, number>;
  /** What the outside answers with an error, as `<execution> <key>`. */
  readonly failing: Set<string>;
  /** All that it has seen: another schedule begins. */
  forget(): void;
  /** Of all executions. */
  count(): number;
  /** What must not have happened. */
  readonly broken: readonly string[];
}

export function createLedger(): Ledger {
  let now = 0;
  const seen = new Map<string, Map<string, number>>();
  const recordedAt = new Map<string, number>();
  const failing = new Set<string>();
  const broken: string[] = [];
  return {
    ...{ broken, failing },
    forget() {
      failing.clear();
      seen.clear();
      recordedAt.clear();
      broken.splice(0);
    },
    tick: () => ++now,
    attempt(id, key, begun) {
      const keys = seen.get(id) ?? new Map<string, number>();
      seen.set(id, keys.set(key, (keys.get(key) ?? 0) + 1));
      const before = recordedAt.get(`${id} ${key}`);
      if (before !== undefined && before < begun) broken.push(`${id} did ${key} again, which was recorded`);
    },
    recorded(id, key) {
      const name = `${id} ${key}`;
      if (!recordedAt.has(name)) recordedAt.set(name, ++now);
    },
    count: () =>
      [...seen.values()].flatMap((keys) => [...keys.values()]).reduce((sum, times) => sum + times, 0),
    attempts: (id) => seen.get(id) ?? new Map(),
  };
}
