import { sql } from "kysely";
import { coalesced } from "./batch.ts";
import type { Store, Tx } from "./store.ts";

/** A moment of the database's own. */
export interface Moment {
  /** What was read in the same generation still holds (migration 0012 says of what). */
  readonly generation: string;
  /** The database's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** Tells whether what a process remembers of callers and ended runs still holds. */
export interface Generations {
  /** From a query that begins after the call; many at once share one. */
  current(): Promise<Moment>;
}

/** The SQL expression of the generation, to read it in the same statement as what is remembered. */
export const generationSql = "(select number from generation)";

export function createGenerations(store: Store): Generations {
  return {
    current: coalesced(async () => {
      const [moment] = await store.prompt<Moment>({
        name: "generation",
        text: "select number as generation, (extract(epoch from now()) * 1000)::float8 as now from generation",
      });
      if (!moment) throw new Error("the database has lost its generation");
      return moment;
    }),
  };
}

/** What was read, and in which generation. */
export interface Entry<V> {
  readonly generation: string;
  readonly value: V;
}

/** What a process remembers by key; of more than `most` the oldest is forgotten. */
export class GenerationCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #most: number;

  constructor(maxEntries: number) {
    this.#most = maxEntries;
  }

  /** It holds only while its generation is the current one. */
  get(key: string): Entry<V> | undefined {
    return this.#entries.get(key);
  }

  set(key: string, generation: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { generation, value });
    if (this.#entries.size <= this.#most) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}

/** For what no trigger sees; to be called last, as all that raise it lock one row. */
export async function raiseGeneration(tx: Tx): Promise<void> {
  await sql`update generation set number = number + 1, changed_by = pg_current_xact_id()
    where changed_by is distinct from pg_current_xact_id()`.execute(tx);
}
