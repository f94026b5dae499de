import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createLog } from "../../service/cli/log.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { until } from "../../testing/until.ts";
import { ServiceError } from "../service-error.ts";
import { connectStore, type Store } from "../store/store.ts";
import { createGuesses, type Guesses, type GuessLimits } from "./guesses.ts";

let fresh: FreshStore;
/** Of another process. */
let second: Store;
beforeAll(async () => {
  fresh = await freshStore();
  second = await connectStore({ connectionString: fresh.url }, { log: createLog({ write: () => {} }) });
});
afterEach(async () => {
  await sql`delete from guesses`.execute(fresh.store.db);
  await sql`delete from audit_counts`.execute(fresh.store.db);
  vi.restoreAllMocks();
});
afterAll(async () => {
  await second.close();
  await fresh.drop();
});

const slow: GuessLimits = {
  network: { atOnce: 5, everySeconds: 600 },
  site: { atOnce: 12, everySeconds: 600 },
  account: { atOnce: 8, everySeconds: 600 },
};
const guessesOf = (store: Store, limits = slow) =>
  createGuesses(store, (error) => expect.unreachable(String(error)), limits);

const event = { action: "key.refuse", object: { kind: "key", id: null } } as const;
const attempt = (address: string, account: string | null = null) => ({
  from: { address, user_agent: null, request_id: null },
  account,
  event,
});

/** @returns `right`, `wrong`, or the seconds to wait */
async function hear(guesses: Guesses, found: string | null, address: string, account?: string) {
  try {
    const result = await guesses.compare(attempt(address, account), async () => found);
    return result ?? "wrong";
  } catch (error) {
    if (error instanceof ServiceError && error.code === "too_many_requests")
      return error.facts.retryAfter ?? 0;
    throw error;
  }
}

test("S-180: wrong keys of one network count each other in two processes at the same time", async () => {
  const processes = [guessesOf(fresh.store), guessesOf(second)];
  const told = await Promise.all(
    Array.from({ length: 40 }, (_, n) => hear(processes[n % 2] as Guesses, null, "192.0.2.1")),
  );
  expect(told.filter((one) => one === "wrong")).toHaveLength(5);
  const waits = told.filter((one) => one !== "wrong");
  expect(waits.every((one) => typeof one === "number" && one > 0 && one <= 600)).toBe(true);
  // A process that has heard nothing of it knows as well.
  expect(await hear(guessesOf(second), null, "192.0.2.1")).toEqual(expect.any(Number));
});

test("S-180: whoever has a /64 of IPv6 is one, and whoever has a /48 is not without end", async () => {
  const guesses = guessesOf(fresh.store);
  const wrong = async (addresses: readonly string[]) => {
    const told = [];
    for (const address of addresses) told.push(await hear(guesses, null, address));
    return told.filter((one) => one === "wrong").length;
  };
  expect(await wrong(Array.from({ length: 30 }, (_, n) => `2001:db8:1:1::${n}`))).toBe(5);
  expect(await wrong(Array.from({ length: 30 }, (_, n) => `2001:db8:1:${n + 2}::1`))).toBe(12 - 5);
  expect(await wrong(["2001:db8:2:1::1", "192.0.2.9"])).toBe(2);
});

test("S-181: keeps nobody out: what cannot be guessed is let in whatever else came from there", async () => {
  const guesses = guessesOf(fresh.store);
  for (let n = 0; n < 10; n++) await hear(guesses, null, "192.0.2.1", "client:app");
  expect(await hear(guesses, null, "192.0.2.1", "client:app")).toEqual(expect.any(Number));
  for (const store of [fresh.store, second])
    expect(await hear(guessesOf(store), "right", "192.0.2.1", "client:app")).toBe("right");
  expect(await hear(guesses, "right", "192.0.2.1", "client:app")).toBe("right");
  expect(await hear(guesses, null, "192.0.2.2", "client:app")).toBe("wrong");
});

test("S-182: what a person has chosen waits like a wrong one where there are too many", async () => {
  const chosen = async (store: Store, address: string) => {
    const right = guessesOf(store).compare(
      attempt(address),
      async () => "right",
      () => true,
    );
    return await right.catch((error: ServiceError) => error.code);
  };
  const guesses = guessesOf(fresh.store);
  expect(await chosen(second, "192.0.2.1")).toBe("right");
  for (let n = 0; n < 6; n++) await hear(guesses, null, "192.0.2.1");
  expect(await chosen(second, "192.0.2.1")).toBe("too_many_requests");
  expect(await chosen(second, "192.0.2.2")).toBe("right");
});

test("S-182: nor is what a person has chosen compared where there are too many of one kind, and few of another", async () => {
  const guesses = guessesOf(fresh.store);
  await hear(guesses, null, "198.51.100.7", "person:ada");
  for (let n = 0; n < 6; n++) await hear(guesses, null, "192.0.2.1", `person:${n}`);
  const right = guesses.compare(
    attempt("192.0.2.1", "person:ada"),
    async () => "right",
    () => true,
  );
  await expect(right).rejects.toMatchObject({ code: "too_many_requests" });
});

test("S-180: an account that is guessed at from many networks has a limit of its own", async () => {
  const guesses = guessesOf(fresh.store);
  const told = [];
  for (let n = 0; n < 12; n++) told.push(await hear(guesses, null, `192.0.2.${n}`, "client:app"));
  expect(told.filter((one) => one === "wrong")).toHaveLength(8);
  expect(await hear(guesses, null, "192.0.2.100", "client:other")).toBe("wrong");
});

test("S-180: comes back by itself", async () => {
  const soon = { atOnce: 2, everySeconds: 0.05 };
  const guesses = guessesOf(fresh.store, { network: soon, site: soon, account: soon });
  let waited = false;
  for (let n = 0; n < 200 && !waited; n++) waited = (await hear(guesses, null, "192.0.2.1")) !== "wrong";
  expect(waited).toBe(true);
  await until("one may guess again", async () => (await hear(guesses, null, "192.0.2.1")) === "wrong");
});

test("S-180: whoever has not guessed for long may guess no more often at once than anybody", async () => {
  const guesses = guessesOf(fresh.store);
  await hear(guesses, null, "192.0.2.1");
  await sql`update guesses set counted_until = now() - interval '1 day'`.execute(fresh.store.db);
  const told = [];
  for (let n = 0; n < 8; n++) told.push(await hear(guesses, null, "192.0.2.1"));
  expect(told.filter((one) => one === "wrong")).toHaveLength(5);
});

test("S-184: a storm costs a bounded number of rows and queries, and none is left out of the count", async () => {
  const guesses = guessesOf(fresh.store);
  for (let n = 0; n < 6; n++) await hear(guesses, null, "192.0.2.1");
  const connect = vi.spyOn(fresh.store.pool, "connect");
  for (let n = 0; n < 2_000; n++) await hear(guesses, null, "192.0.2.1");
  expect(connect).not.toHaveBeenCalled();
  await guesses.stop();
  const { rows } = await sql<{ sources: number; entries: number; times: number }>`
    select (select count(*)::int from guesses) as sources, count(*)::int as entries, sum(count)::int as times
      from audit_counts`.execute(fresh.store.db);
  expect(rows[0]).toMatchObject({ sources: 1, times: 2_006 });
  // A minute may end in between.
  expect(rows[0]?.entries).toBeLessThanOrEqual(2);
});

test("S-184: rows go when they count no more", async () => {
  const guesses = guessesOf(fresh.store);
  for (let n = 0; n < 30; n++) await hear(guesses, null, `192.0.2.${n}`);
  await sql`update guesses set counted_until = now() - interval '1 second' where source <> 'network:192.0.2.7'`.execute(
    fresh.store.db,
  );
  await guesses.stop();
  const { rows } = await sql`select source from guesses`.execute(fresh.store.db);
  expect(rows).toEqual([{ source: "network:192.0.2.7" }]);
});
