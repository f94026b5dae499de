/** How much of what is searched for was there when it was last looked for everywhere. */
export type Rarity = "rare" | "frequent";

/** What a process remembers of it: a hint where to look first, which costs time where it is wrong, and no row. */
export interface RarityMemory {
  /** Null: not known, or too long ago. */
  of(text: string): Rarity | null;
  remember(text: string, rarity: Rarity): void;
}

const most = 1_000;
const keptMs = 600_000;

/** @param now milliseconds, never going back */
export function createRarity(now = () => performance.now()): RarityMemory {
  const known = new Map<string, { readonly rarity: Rarity; readonly at: number }>();
  return {
    of(text) {
      const last = known.get(text);
      return last !== undefined && now() - last.at < keptMs ? last.rarity : null;
    },
    remember(text, rarity) {
      known.delete(text);
      known.set(text, { rarity, at: now() });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}
