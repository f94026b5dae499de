import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { until } from "../../testing/until.ts";
import { sharesOf } from "./fair-stores.ts";
import type { Store } from "./store.ts";
import { isDatabaseUnavailable } from "./store-error.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());

const forever = new AbortController().signal;
const of = (who: string, gone = forever) => fresh.store.of({ who, gone: () => gone });

/** A lock that everybody who asks for it waits for, on a connection without a line. */
async function hold() {
  const holder = await fresh.store.pool.connect();
  await holder.query("select pg_advisory_lock(7)");
  return {
    async letGo() {
      await holder.query("select pg_advisory_unlock(7)");
      holder.release();
    },
  };
}
const wait = { text: "select pg_advisory_xact_lock(7)" };
const waiting = async () => {
  const { rows } = await fresh.store.pool.query<{ n: number }>(
    "select count(*)::integer as n from pg_locks where locktype = 'advisory' and not granted",
  );
  return rows[0]?.n;
};
/** One connection after the other has been given out, as far as there are any. */
const answers = (store: Store) => store.query({ text: "select 1" });

test("S-270: one who asks for much holds half of what requests may have, in transactions and without, and others find the rest", async () => {
  const { letGo } = await hold();
  const loud = [
    ...Array.from({ length: 20 }, () => of("loud").query(wait)),
    ...Array.from({ length: 20 }, () => sql`select pg_advisory_xact_lock(7)`.execute(of("loud").db)),
  ];
  await until("it has what it may have", async () => (await waiting()) === 7);
  const others = Array.from({ length: 40 }, (_, at) => of(`other${at % 8}`).query(wait));
  await until("they have the rest", async () => (await waiting()) === 15);
  // What has no line is answered all the same.
  expect(await answers(fresh.store)).toHaveLength(1);
  await letGo();
  await Promise.all([...loud, ...others]);
});

test("a transaction has its place until it is over, however that ends", async () => {
  const store = of("ada");
  for (let time = 0; time < 20; time++) {
    const failing = store.db.transaction().execute(() => Promise.reject(new Error("refused")));
    await expect(failing).rejects.toThrow("refused");
    await expect(sql`select nothing`.execute(store.db)).rejects.toThrow("nothing");
    await expect(store.query({ text: "select nothing" })).rejects.toThrow("nothing");
  }
  expect(await answers(store)).toHaveLength(1);
});

test("S-270: whoever leaves while it waits is out of the line, as where the database is away", async () => {
  const { letGo } = await hold();
  const gone = new AbortController();
  const before = Array.from({ length: 7 }, () => of("ada").query(wait));
  await until("they wait", async () => (await waiting()) === 7);
  const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  const left = failureOf(of("ada", gone.signal).query(wait));
  gone.abort(new Error("left"));
  const failures = [await left, await failureOf(answers(of("ada", gone.signal)))];
  await letGo();
  await Promise.all(before);
  for (const failure of failures) {
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(failure).toMatchObject({ cause: { message: "left" } });
  }
  // Nobody is in line: a signal that is aborted already is not asked for.
  expect(await answers(of("ada", gone.signal))).toHaveLength(1);
});

test("however few connections there are, requests have some and leave some", () => {
  for (let connections = 5; connections < 100; connections++) {
    const { places, spare, eachTenant } = sharesOf(connections);
    expect(eachTenant).toBeGreaterThan(0);
    expect(places + spare).toBeLessThan(connections);
    expect(2 * eachTenant).toBeLessThanOrEqual(places + spare);
  }
});
