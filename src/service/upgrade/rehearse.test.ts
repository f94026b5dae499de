import { readdirSync } from "node:fs";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { type EmptyDatabase, emptyDatabase } from "../../testing/database.ts";
import { migrate } from "../store/migrate.ts";
import { type Migration, migrations } from "../store/migrations/index.ts";
import type { Store } from "../store/store.ts";
import { type RehearsalParts, rehearse } from "./rehearse.ts";

const log = pino({ level: "silent" });
const folder = testFolder();
afterAll(() => folder.remove());

const change = (name: string, sql: string): Migration => ({ name, sql });
const slow = change("9001_slow", "alter table users add column nickname text; select pg_sleep(0.3)");
const beside = "nicknames are made";
const index = { ...change("9002_index", "create index users_nickname on users (nickname)"), beside };
const table = change(
  "9003_table",
  "create table pets (id text primary key, agent_id text references agents)",
);

describe("an upgrade that is tried on a copy", () => {
  let database: EmptyDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await emptyDatabase();
    store = await database.open();
    await store.pool.query(
      `insert into users (id, email, first_name, last_name, plan)
       select 'user_' || n, n || '@example.com', 'P', n::text, 'pro' from generate_series(1, 500) n`,
    );
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  const parts = (more: Partial<RehearsalParts> = {}): RehearsalParts => ({
    source: { databaseUrl: database.url, dataDirectory: folder.in("none") },
    ...{ folder: folder.in("."), log, signal: new AbortController().signal },
    onProgress() {},
    ...more,
  });
  /** All rows and relations of the database. */
  const everything = async () =>
    (
      await store.pool.query(
        `select (select count(*) from users) as users, (select count(*) from migrations) as migrations,
                (select array_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as relations`,
      )
    ).rows;

  it("says of each change how long it takes and who waits for which table, beside whoever writes meanwhile", async () => {
    const before = await everything();
    const writer = await store.pool.connect();
    // Longer than the service lets anybody rest in a transaction: the copy may take its time.
    await writer.query("set idle_in_transaction_session_timeout = 0");
    await writer.query("begin");
    await writer.query("update users set first_name = 'Q' where id = 'user_1'");
    const { steps, copied } = await rehearse(
      parts({ migrations: [...migrations, slow, index, table] }),
    ).finally(() => writer.release(true));
    expect(steps.map(({ name }) => name)).toEqual(["9001_slow", "9002_index", "9003_table"]);
    expect(steps.map((step) => step.beside)).toEqual([null, beside, null]);
    expect(steps.map(({ locks }) => locks.map(({ table, waiting }) => `${table}: ${waiting}`))).toEqual([
      ["users: reads and writes"],
      [],
      // What keeps writers out alone; the table is new, nobody waits for it.
      ["agents: writes"],
    ]);
    const [first] = steps;
    expect(first?.seconds).toBeGreaterThanOrEqual(0.3);
    expect(first?.locks[0]?.seconds).toBeGreaterThanOrEqual(first?.seconds ?? 0);
    expect(copied?.tables).toBeGreaterThan(40);
    expect(copied?.bytes).toBeGreaterThan(500 * 20);
    expect(await everything()).toEqual(before);
    expect(readdirSync(folder.in("."))).toEqual([]);
  });

  it("that would fail says which change and why, and leaves no copy", async () => {
    const wrong = change("9004_wrong", "alter table users add constraint no_more check (plan = 'free')");
    await expect(rehearse(parts({ migrations: [...migrations, wrong] }))).rejects.toMatchObject({
      kind: "migration_failed",
      message: /9004_wrong failed .*no_more/,
    });
    expect(readdirSync(folder.in("."))).toEqual([]);
  });

  it("makes no copy where nothing is pending, and none where the disk has no room", async () => {
    expect(await rehearse(parts())).toEqual({ steps: [], copied: null });
    const pending = { migrations: [...migrations, table] };
    await expect(rehearse(parts({ ...pending, freeBytes: async () => 90e6 }))).rejects.toMatchObject({
      kind: "unsuitable",
      message: /--copy/,
    });
  });

  it("leaves nothing when it is stopped", async () => {
    const stopping = new AbortController();
    const stopped = rehearse(
      parts({
        migrations: [...migrations, table],
        signal: stopping.signal,
        onProgress: () => stopping.abort(new Error("told to stop")),
      }),
    );
    await expect(stopped).rejects.toThrow("told to stop");
    expect(readdirSync(folder.in("."))).toEqual([]);
  });
});

describe("migrations that are pending", () => {
  it("S-58: are all applied, or none of them", async () => {
    const database = await emptyDatabase();
    const store = await database.open();
    const wrong = change("9005_wrong", "alter table nowhere add column x text");
    const all = [...migrations, table, wrong];
    await expect(migrate(store.pool, all)).rejects.toMatchObject({
      kind: "migration_failed",
      message: /9005_wrong failed .*as it was/,
    });
    const there = "select to_regclass('pets') as pets, (select count(*)::integer from migrations) as count";
    expect((await store.pool.query(there)).rows).toEqual([{ pets: null, count: migrations.length }]);
    expect(await migrate(store.pool, [...migrations, table])).toEqual(["9003_table"]);
    await store.close();
    await database.drop();
  });

  it("S-58: do not wait for ever for a table that is held, and keep nobody else waiting either", async () => {
    const database = await emptyDatabase();
    const store = await database.open();
    const held = await store.pool.connect();
    await held.query("begin");
    await held.query("select from users for update");
    await expect(migrate(store.pool, [...migrations, slow], 50)).rejects.toMatchObject({
      kind: "migration_failed",
      message: /9001_slow changes.*as it was/,
    });
    await held.query("rollback");
    held.release();
    expect(await migrate(store.pool, [...migrations, slow], 50)).toEqual(["9001_slow"]);
    await store.close();
    await database.drop();
    // One that waits for ever does not keep the whole run.
  }, 30_000);

  it("S-58: let the release before go on and start again, unless one of them says that it breaks it", async () => {
    const database = await emptyDatabase();
    const store = await database.open();
    await migrate(store.pool, [...migrations, table]);
    expect(await migrate(store.pool)).toEqual([]);
    await migrate(store.pool, [...migrations, table, { ...index, sql: "select 1", breaksRelease: true }]);
    await expect(migrate(store.pool)).rejects.toMatchObject({ kind: "wrong_version", message: /9002_index/ });
    await store.close();
    await database.drop();
  });
});
