/** What a page that is being left could not hand to the browser's database in time. */
export interface Unwritten {
  /** Changes by key; `value` is absent where the key was removed. Empty where the storage is blocked or broken. */
  read(): ReadonlyMap<string, Change>;
  keep(key: string, change: Change): void;
  forget(key: string): void;
}

export type Change = { readonly value: unknown } | { readonly value?: never };

/**
 * A database write that begins while the page is being left may be cut off; `localStorage` is written at once. An
 * entry lives from there to the next start, which takes it over.
 * @param name of the database whose writes these are
 */
export function unwritten(name: string, storage: () => Storage = () => localStorage): Unwritten {
  const prefix = `${name}:unwritten `;
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  return {
    read: () =>
      attempt(() => {
        const kept = storage();
        const keys = Object.keys(kept).filter((key) => key.startsWith(prefix));
        const changes = new Map<string, Change>();
        for (const key of keys) {
          const change = attempt<unknown>(() => JSON.parse(kept.getItem(key) ?? ""), null);
          if (typeof change === "object" && change !== null) changes.set(key.slice(prefix.length), change);
          else kept.removeItem(key);
        }
        return changes;
      }, new Map()),
    keep: (key, change) => attempt(() => storage().setItem(prefix + key, JSON.stringify(change)), undefined),
    forget: (key) => attempt(() => storage().removeItem(prefix + key), undefined),
  };
}
