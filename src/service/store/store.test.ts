import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rightsOfRole } from "../../contract/roles.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { databaseProxy } from "../../testing/database-proxy.ts";
import { brokenInvariants } from "../../testing/engine.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "./json.ts";
import { linesOf, logWrite } from "./log-rows.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { connectStore } from "./store.ts";
import { isDatabaseUnavailable } from "./store-error.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());

test("what JSON cannot carry into PostgreSQL is replaced, all else comes back as it was", async () => {
  const value = { text: "a\u0000b\ud800c 😀 \\u0000", list: [1, [2], { "k\u0000": null }] };
  const { rows } = await fresh.store.pool.query("select $1::jsonb as value", [toJson(value)]);
  expect(rows[0].value).toEqual({ text: "a\uFFFDb\uFFFDc 😀 \\u0000", list: [1, [2], { "k\uFFFD": null }] });
});

test("S-05: who needs a new connection to a database that says nothing is told before the connection is given up", async () => {
  const proxy = await databaseProxy(fresh.url);
  const store = await connectStore({ connectionString: proxy.url }, { log: pino({ level: "silent" }) });
  const used = [];
  do used.push(await store.pool.connect());
  while (store.pool.idleCount > 0);
  proxy.hang();
  const told: unknown[] = [];
  await Promise.all([
    store.pool.connect().catch(() => told.push("no connection")),
    store
      .prompt({ name: "one", text: "select 1" })
      .catch((error: unknown) => told.push(isDatabaseUnavailable(error))),
  ]);
  expect(told).toEqual([true, "no connection"]);
  await proxy.close();
  for (const client of used) client.release(true);
  await store.close();
});

test("S-05: a connection that says nothing is given up after a while, whoever waits for it, and nobody gets it again", async () => {
  const proxy = await databaseProxy(fresh.url);
  const connection = { connectionString: proxy.url };
  const options = { log: pino({ level: "silent" }), connections: 3, queryTimeoutMs: 300 };
  const store = await connectStore(connection, options);
  const one = () => sql`select 1`.execute(store.db);
  // All that the pool may have are open and idle.
  await Promise.all([one(), one(), one()]);
  proxy.hang();
  const told = await Promise.allSettled([
    one(),
    store.db.transaction().execute((tx) => sql`select 1`.execute(tx)),
    store.pool.query("select 1"),
  ]);
  for (const end of told) expect(end.status === "rejected" && isDatabaseUnavailable(end.reason)).toBe(true);
  // Not one of the connections of before ever answers; new ones do.
  await proxy.mend();
  await Promise.all([one(), one(), one(), store.pool.query("select 1")]);
  await store.close();
  await proxy.close();
});

test("S-353: what nobody waits for any more is not worked on by the database either", async () => {
  const { store } = fresh;
  const connection = { connectionString: fresh.url };
  const options = { log: pino({ level: "silent" }), queryTimeoutMs: 200 };
  const hasty = await connectStore(connection, options);
  const endless = "select count(*) from generate_series(1, 1000000000000) as endless";
  const asked = [
    hasty.query({ text: endless }),
    sql.raw(endless).execute(hasty.db),
    hasty.db.transaction().execute((tx) => sql.raw(endless).execute(tx)),
  ];
  for (const end of await Promise.allSettled(asked))
    expect(end.status === "rejected" && isDatabaseUnavailable(end.reason)).toBe(true);
  const atWork = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and query = ${endless}`;
  try {
    await until(
      "the database has given it up",
      async () => (await atWork.execute(store.db)).rows.length === 0,
      10_000,
    );
  } finally {
    for (const { pid } of (await atWork.execute(store.db)).rows)
      await sql`select pg_terminate_backend(${pid})`.execute(store.db);
    await hasty.close();
  }
});

test("S-190: a team of before keeps what it could do: its members become editors, nobody an admin, and nothing is the file's", async () => {
  const old = await freshStore();
  const { pool } = old.store;
  await pool.query("drop schema public cascade; create schema public");
  const at = migrations.findIndex(({ name }) => name === "0043_people");
  await migrate(pool, migrations.slice(0, at));
  await pool.query(`insert into users (id, email, first_name, last_name, plan)
    values ('ada', 'ada@example.com', 'Ada', 'A', 'pro'), ('ben', 'ben@example.com', 'Ben', 'B', 'pro')`);
  await pool.query("insert into teams (id, name, plan) values ('harbor', 'Harbor', 'pro')");
  await pool.query("insert into team_members (team_id, user_id) values ('harbor', 'ada'), ('harbor', 'ben')");
  await migrate(pool);
  const { rows: members } = await pool.query("select user_id, role from active_members order by user_id");
  expect(members).toEqual([
    { user_id: "ada", role: "editor" },
    { user_id: "ben", role: "editor" },
  ]);
  const { rows: people } = await pool.query("select id, role, managed from users order by id");
  expect(people).toEqual([
    { id: "ada", role: "member", managed: [] },
    { id: "ben", role: "member", managed: [] },
  ]);
  // All that there was to do before roles.
  expect(rightsOfRole.editor).toEqual(["see", "operate", "edit"]);
  await old.drop();
});

test("A log of before has the same lines, however it goes on", async () => {
  const old = await freshStore();
  const { pool } = old.store;
  await pool.query("drop schema public cascade; create schema public");
  const at = migrations.findIndex(({ name }) => name === "0028_log_rows");
  await migrate(pool, migrations.slice(0, at));
  await pool.query(`insert into executions (id, kind, root_id, depth, subject_id, input, state, error, log_count, finished_at)
    values ('run_broke', 'pipeline', 'run_broke', 0, 'flow', '{}', 'failed', E'one\\r\\ntwo', 3, now()),
           ('run_waits', 'pipeline', 'run_waits', 0, 'flow', '{}', 'waiting', null, 2, null)`);
  await pool.query(`insert into log_lines (execution_id, seq, text) values
    ('run_broke', 1, 'begun'), ('run_broke', 2, ''), ('run_broke', 3, E'failed: one\\r\\ntwo'),
    ('run_waits', 1, 'begun'), ('run_waits', 2, 'waits')`);
  await migrate(pool);
  // As the engine goes on with it.
  for (const { last, text } of logWrite(["goes on", "ends"]).rows) {
    await pool.query("insert into log_lines values ('run_waits', $1, $2)", [2 + last, text]);
  }
  await pool.query("update executions set log_count = 4 where id = 'run_waits'");
  expect(await brokenInvariants(old.store)).toEqual([]);
  const linesOfRun = async (id: string) => {
    const { rows } = await pool.query(
      "select seq, text from log_lines where execution_id = $1 order by seq",
      [id],
    );
    return rows.flatMap(linesOf).map(({ seq, text }) => `${seq} ${text}`);
  };
  expect(await linesOfRun("run_broke")).toEqual(["1 begun", "2 ", "3 failed: one two"]);
  expect(await linesOfRun("run_waits")).toEqual(["1 begun", "2 waits", "3 goes on", "4 ends"]);
  await old.drop();
});

test("A database in which an address stands twice, in two cases, is brought up to date; whoever was there last keeps it", async () => {
  const old = await freshStore();
  const { pool } = old.store;
  await pool.query("drop schema public cascade; create schema public");
  const at = migrations.findIndex(({ name }) => name === "0013_addresses");
  await migrate(pool, migrations.slice(0, at));
  await pool.query(`insert into users (id, email, first_name, last_name, plan) values
    ('user_a', 'Ada@Example.org', 'Ada', 'A', 'pro'), ('user_b', 'ada@example.org', 'Ada', 'B', 'pro'),
    ('user_c', 'ADA@example.org', 'Ada', 'C', 'pro'), ('user_d', 'dan@example.org', 'Dan', 'D', 'pro')`);
  await pool.query(`insert into credentials (id, kind, prefix, hash, user_id, name, last_used_at) values
    ('key_a', 'personal', 'a', 'a', 'user_a', 'a', now() - interval '1 day'),
    ('key_b', 'personal', 'b', 'b', 'user_b', 'b', now()), ('key_c', 'personal', 'c', 'c', 'user_c', 'c', null)`);
  await migrate(pool);
  const { rows } = await pool.query("select id, email from users order by id");
  expect(rows).toEqual([
    { id: "user_a", email: expect.stringMatching(/^user_a@[0-9a-f]{8}\.former\.invalid$/) },
    { id: "user_b", email: "ada@example.org" },
    { id: "user_c", email: expect.stringMatching(/^user_c@[0-9a-f]{8}\.former\.invalid$/) },
    { id: "user_d", email: "dan@example.org" },
  ]);
  const taken = pool.query("update users set email = 'DAN@example.org' where id = 'user_a'");
  await expect(taken).rejects.toMatchObject({ code: "23P01" });
  await old.drop();
});
