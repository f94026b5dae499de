import type pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { startService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { analyzeGrown } from "./analyze-grown.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());

/** What a conversation is made of. */
const large = ["executions", "interactions", "messages"];

/** All that is done with the pool from here on is done on one connection, which keeps its plans. */
async function useOneConnection(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of clients) client.release(true);
  pool.options.max = 1;
}

/** How often each of the large tables was read whole on that connection until now. */
async function readsOfAll(pool: pg.Pool): Promise<Record<string, number>> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ relname: string; n: number }>(
    "select relname, seq_scan::integer as n from pg_stat_user_tables where relname = any ($1) order by relname",
    [large],
  );
  return Object.fromEntries(rows.map(({ relname, n }) => [relname, n]));
}

/** Ten thousand more like the first conversation, whose turns are queued for later. */
async function grow(pool: pg.Pool, id: string): Promise<void> {
  const copies = [
    `insert into interactions (id, agent_id, user_id, team_id, type, state, name, turn, execution_id)
     select $1 || '_' || n, agent_id, user_id, team_id, type, 'processing', name, 1, execution_id || '_' || n
       from interactions, generate_series(1, 10000) n where id = $1`,
    `insert into messages (interaction_id, seq, id, role, content)
     select $1 || '_' || n, seq, id || '_' || n, role, content
       from messages, generate_series(1, 10000) n where interaction_id = $1 and seq = 1`,
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input, queued_at)
     select id || '_' || n, kind, id || '_' || n, 0, subject_id || '_' || n, user_id, team_id, input, now() + interval '1 hour'
       from executions, generate_series(1, 10000) n where subject_id = $1`,
  ];
  for (const copy of copies) await pool.query(copy, [id]);
}

test("S-297: a new installation that gets ten thousand conversations in its first minute reads none of its tables whole for a turn", async () => {
  const service = await startService({ work: false });
  onTestFinished(() => service.stop());
  const { pool } = service.context.store;
  // PostgreSQL does not look in the seconds that this takes, or here at all.
  for (const table of large) await pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await useOneConnection(pool);
  await service.work();
  const who = { user_id: "user_ada", gummie_id: "agent_scribe" };
  const message = '/write_file {"name": "notes.md", "content": "Mooring lines checked."}';
  const turn = async (): Promise<string> => {
    const answer = await service.call(service.keys.ada, "POST", "/start_agent", { ...who, message });
    // What the contract says of it.
    const { interaction_id: id } = (await answer.json()) as { interaction_id: string };
    await until(`the end of the turn of ${id}`, async () => {
      const found = await pool.query("select from interactions where id = $1 and state <> 'processing'", [
        id,
      ]);
      return found.rows.length === 1;
    });
    return id;
  };
  const first = await turn();
  // As PostgreSQL does it after the first fifty rows.
  await pool.query("analyze");
  for (let n = 0; n < 8; n++) await turn();
  const small = await readsOfAll(pool);
  await turn();
  expect(await readsOfAll(pool)).not.toEqual(small);
  await grow(pool, first);
  await until("it is known how large they are", async () => {
    const { rows } = await pool.query(
      "select from pg_class where relname = any ($1) and relnamespace = 'public'::regnamespace and relpages < 50",
      [large],
    );
    return rows.length === 0;
  });
  const before = await readsOfAll(pool);
  for (let n = 0; n < 3; n++) await turn();
  expect(await readsOfAll(pool)).toEqual(before);
});

test("S-297: a table is analyzed each time that it has grown fourfold, and not before; one that somebody is at is left alone", async () => {
  const { store } = fresh;
  const grown = () => analyzeGrown(store);
  await store.pool.query("create table growing (text text) with (autovacuum_enabled = off)");
  /** They are counted at once, and not in the seconds after. */
  const add = (count: number) =>
    store.pool.query(
      `insert into growing select repeat('x', 30)
         from generate_series(1, $1::integer), (select pg_stat_force_next_flush()) counted`,
      [count],
    );
  await grown();
  await add(500);
  expect(await grown()).toEqual([]);
  await add(1_500);
  expect(await grown()).toEqual(["public.growing"]);
  expect(await grown()).toEqual([]);
  await add(3_000);
  expect(await grown()).toEqual([]);
  await add(5_000);
  const other = await store.pool.connect();
  try {
    await other.query("begin");
    await other.query("lock table growing in access exclusive mode");
    for (let n = 0; n < 2; n++) expect(await grown()).toEqual(["public.growing"]);
  } finally {
    await other.query("commit");
    other.release();
  }
  expect(await grown()).toEqual(["public.growing"]);
  expect(await grown()).toEqual([]);
});
