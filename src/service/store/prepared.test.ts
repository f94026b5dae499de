import { Kysely, PostgresDialect, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { anyIn, onePlan, preparing } from "./prepared.ts";
import type { Database } from "./schema.ts";
import { isDatabaseUnavailable } from "./store-error.ts";

let fresh: FreshStore;
let db: Kysely<Database>;
/** Of the one connection that all here use. */
let end = async () => {};
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(async () => {
  await end();
  await fresh.drop();
});
beforeEach(() => open(Number.POSITIVE_INFINITY));

/** @param lifetime of connections, in milliseconds */
async function open(lifetime: number): Promise<void> {
  await end();
  const store = await fresh.another();
  store.pool.options.max = 1;
  const pool = preparing(store.pool, () => lifetime, 3);
  db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  end = () => store.close();
}

/** Texts that the connection has prepared. */
async function prepared(): Promise<string[]> {
  const { rows } = await sql<{
    statement: string;
  }>`/* not itself */ select statement from pg_prepared_statements order by prepare_time`.execute(db);
  return rows.map((row) => row.statement);
}

const one = (n: number) => sql`select ${n}::int as n`.execute(db);

test("what is asked again is prepared once, whatever its values; what is asked once is not", async () => {
  await one(1);
  expect(await prepared()).toEqual([]);
  for (const n of [2, 3, 4]) expect((await one(n)).rows).toEqual([{ n }]);
  expect(await prepared()).toEqual(["select $1::int as n"]);
});

test("lists, lists of values and commands are planned each time, and there are never more names than the limit", async () => {
  for (let round = 0; round < 3; round++) {
    await db.selectFrom("users").select("id").limit(1).execute();
    await db.selectFrom("users").select("id").where("id", "in", ["a", "b"]).execute();
    await sql`set application_name = 'wheelhouse'`.execute(db);
  }
  expect(await prepared()).toEqual([]);
  for (let shape = 0; shape < 10; shape++) {
    for (let round = 0; round < 3; round++) {
      await sql`select ${shape} as ${sql.ref(`shape_${shape}`)}`.execute(db);
    }
  }
  expect(await prepared()).toHaveLength(3);
});

test("a list that is found in one way, and rows by any number of ids, are prepared", async () => {
  for (const ids of [["a"], ["a", "b"], []]) {
    await db.selectFrom("users").select("id").where("id", "=", anyIn(ids)).execute();
    await sql`select id from users where id > ${ids.length} order by id limit 1 ${onePlan}`.execute(db);
  }
  expect(await prepared()).toEqual([
    'select "id" from "users" where "id" = any($1::text[])',
    "select id from users where id > $1 order by id limit 1 /* one plan */",
  ]);
});

test("S-58: a statement whose columns a migration of another process changes is asked again; in a transaction it fails like an outage, once", async () => {
  const { pool } = fresh.store;
  await pool.query("create table changing (id int); insert into changing values (1)");
  const all = (by: Kysely<Database>) => sql`select * from changing`.execute(by);
  for (let round = 0; round < 3; round++) await all(db);
  expect(await prepared()).toEqual(["select * from changing"]);
  await pool.query("alter table changing add column more int");
  expect((await all(db)).rows).toEqual([{ id: 1, more: null }]);
  expect((await all(db)).rows).toEqual([{ id: 1, more: null }]);

  const other = (by: Kysely<Database>) => sql`select changing.* from changing`.execute(by);
  for (let round = 0; round < 3; round++) await other(db);
  await pool.query("alter table changing add column yet_more int");
  const inside = () => db.transaction().execute(other);
  expect(isDatabaseUnavailable(await inside().catch((error: unknown) => error))).toBe(true);
  expect((await inside()).rows).toEqual([{ id: 1, more: null, yet_more: null }]);
});

test("a connection is used until its time is over, and by whoever has it then to the end", async () => {
  const connection = async (by: Kysely<Database>) =>
    (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(by)).rows[0]?.id;
  const first = await connection(db);
  expect(await connection(db)).toBe(first);
  await open(0);
  const [before, after] = await db
    .transaction()
    .execute(async (tx) => [await connection(tx), await connection(tx)]);
  expect(after).toBe(before);
  expect(await connection(db)).not.toBe(before);
});
