import { coalesced } from "./batch.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { Store } from "./store.ts";

/** A moment of the database's own. */
export interface Moment {
  /** What was read of callers in the same generation still holds (migration 0012 says of what). */
  readonly generation: string;
  /** The database's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** Tells whether what a process remembers of callers and ended runs still holds. */
export interface Generations {
  /** From a query that begins after the call; many at once share one. What is remembered of ended runs holds then, too. */
  current(): Promise<Moment>;
  /** What is remembered of ended runs, at most so many: what a removal made wrong is gone when `current` has answered. */
  rememberRuns<V>(maxRuns: number): RunMemory<V>;
}

/** What a process remembers of ended runs, by their ids. */
export interface RunMemory<V> {
  get(id: string): V | undefined;
  /** @param removals of `removalsSql`, in the statement that read the value */
  set(id: string, removals: string, value: V): void;
}

/** The SQL expression of the generation, to read it in the same statement as what is remembered of a caller. */
export const generationSql = "(select number from generation)";
/** The SQL expression of the last removal, to read it in the same statement as what is remembered of an ended run. */
export const removalsSql = "(select removals from generation)";

interface MomentRow extends Moment {
  readonly removals: string;
  /** The ids of the removals after the one that was asked with, as far as they are there; null: there is none. */
  readonly missed: readonly (readonly string[])[] | null;
}

/** @param see is told the database's time with each answer */
export function createGenerations(store: Store, see: DatabaseClock["see"] = () => {}): Generations {
  const memories: BoundedMap<unknown>[] = [];
  /** All removals up to this one are out of the memories. */
  let known = 0;

  const forgetRemoved = (before: number, { removals, missed }: MomentRow) => {
    const latest = Number(removals);
    if (latest <= known) return;
    known = latest;
    for (const memory of memories) {
      if (missed?.length !== latest - before) memory.clear();
      else for (const id of missed.flat()) memory.delete(id);
    }
  };

  return {
    current: coalesced(async () => {
      const before = known;
      const askedAt = performance.now();
      const [moment] = await store.prompt<MomentRow>({
        name: "generation",
        text: `select number as generation, (extract(epoch from now()) * 1000)::float8 as now, removals,
                      case when removals > $1 then
                        (select json_agg(ids) from removals where removals.number > $1) end as missed
                 from generation`,
        values: [before],
      });
      if (!moment) throw new Error("the database has lost its generation");
      see(moment.now, askedAt);
      forgetRemoved(before, moment);
      return moment;
    }),
    rememberRuns<V>(maxRuns: number): RunMemory<V> {
      const memory = new BoundedMap<V>(maxRuns);
      memories.push(memory);
      return {
        get: (id) => memory.get(id),
        set(id, removals, value) {
          // Else it may be gone by one of those that nobody will tell of again.
          if (Number(removals) >= known) memory.set(id, value);
        },
      };
    },
  };
}
