import type { Clock } from "../context.ts";
import { createRecurring } from "../recurring.ts";
import type { Store } from "./store.ts";

/** Milliseconds from one look at the database's clock to the next. */
const lookEveryMs = 2_000;
/** A correction within this many milliseconds never turns the time back; more is a jump of the database's clock. */
const jitterMs = 1_000;

/**
 * The time of the database, which all processes share: what is compared with what is stored, and what is written beside
 * it. Between two looks it goes on by the monotonic clock, so that the clock of this machine may be wrong or jump. It is
 * never ahead of the database: what is said here is not dated after the transaction that stores it.
 */
export interface DatabaseClock extends Clock {
  /** Looks once more. @throws what a lost database throws */
  look(): Promise<void>;
  /** Looks now and then, until `stop`; while the database is away it goes on by what it knows. */
  start(): void;
  stop(): Promise<void>;
}

/** Opens it with a first look. @throws what a lost database throws */
export async function openDatabaseClock(store: Pick<Store, "prompt">): Promise<DatabaseClock> {
  /** Add to the monotonic clock. */
  let offset = Number.NaN;
  let last = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const [row] = await store.prompt<{ now: number }>({
      name: "clock",
      text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
    });
    if (row === undefined) throw new Error("the database has no time");
    // It was so between the question and the answer: what lies between them is as good as what was known before.
    const [least, most] = [row.now - performance.now(), row.now - askedAt];
    offset = Number.isNaN(offset) ? least : Math.min(Math.max(offset, least), most);
  }

  const looking = createRecurring(look, lookEveryMs, () => undefined);
  await look();
  return {
    look,
    now() {
      const time = performance.now() + offset;
      if (time > last || last - time > jitterMs) last = time;
      return new Date(last);
    },
    start: () => looking.start(),
    stop: () => looking.stop(),
  };
}
