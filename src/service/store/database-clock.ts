import type { SharedClock } from "../context.ts";
import { createRecurring } from "../recurring.ts";
import { coalesced } from "./batch.ts";
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
export interface DatabaseClock extends SharedClock {
  /**
   * Takes what another question has told, as good as a look: every request asks one before it is worked on.
   * @param time of the database, in milliseconds since 1970
   * @param askedAt when it was asked for, by the monotonic clock; the answer has come just now
   */
  see(time: number, askedAt: number): void;
  /** Looks now and then, until `stop`; while the database is away it goes on by what it knows. */
  start(): void;
  stop(): Promise<void>;
}

/** Opens it with a first look. @throws what a lost database throws */
export async function openDatabaseClock(store: Pick<Store, "prompt">): Promise<DatabaseClock> {
  /** Add to the monotonic clock. */
  let offset = Number.NaN;
  let last = Number.NEGATIVE_INFINITY;
  /** How far the machine's clock was ahead of the monotonic one, which stands still while it sleeps. */
  let ahead = aheadNow();

  function see(time: number, askedAt: number): void {
    // It was so between the question and the answer: what lies between them is as good as what was known before.
    const [least, most] = [time - performance.now(), time - askedAt];
    ahead = aheadNow();
    offset = Number.isNaN(offset) ? least : Math.min(Math.max(offset, least), most);
  }

  const look = coalesced(async () => {
    const askedAt = performance.now();
    const [row] = await store.prompt<{ now: number }>({
      name: "clock",
      text: "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
    });
    if (row === undefined) throw new Error("the database has no time");
    see(row.now, askedAt);
  });

  const looking = createRecurring(look, lookEveryMs, () => undefined);
  await look();
  return {
    look,
    see,
    mayBeLate: () => aheadNow() - ahead > jitterMs,
    now() {
      const time = performance.now() + offset;
      if (time > last || last - time > jitterMs) last = time;
      return new Date(last);
    },
    start: () => looking.start(),
    stop: () => looking.stop(),
  };
}

const aheadNow = () => Date.now() - performance.now();
