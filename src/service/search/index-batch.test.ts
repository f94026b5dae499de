import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { startService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { indexBatch } from "./index-batch.ts";
import { enableSearch } from "./index-tables.ts";

/** So few that what ends in a test is more than one. */
const batch = 500;

let fresh: FreshStore;
beforeEach(async () => {
  fresh = await freshStore();
  await enableSearch(fresh.store);
});
afterEach(() => fresh.drop());

const insert = `
  insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, finished_at)
  select 'run_' || n, 'pipeline', 'run_' || n, 0, 'flow', 'ada', 'done', '{"name":"Sail"}', now()
    from generate_series($1::integer, $2::integer) n`;
const end = (from: number, to = from) => fresh.store.pool.query(insert, [from, to]);

const indexedIds = async () =>
  (
    await fresh.store.pool.query<{ id: string }>(
      `select id from (select id, number from search_pending
                        union all select member.* from search_blocks, unnest(ids, numbers) member (id, number)) indexed
        order by number`,
    )
  ).rows.map(({ id }) => id);
const progress = async () =>
  (await fresh.store.pool.query("select ended_at, id from search_progress")).rows[0];

async function all(): Promise<void> {
  while ((await indexBatch(fresh.store, batch)) !== 0);
}

describe("what has ended", () => {
  it("is written once, however often and by however many it is looked at", async () => {
    await end(1, 1100);
    const another = await fresh.another();
    await Promise.all([fresh.store, another, fresh.store].map((store) => indexBatch(store, batch)));
    await all();
    await all();
    await another.close();
    const ids = await indexedIds();
    expect(ids).toHaveLength(1100);
    expect(new Set(ids).size).toBe(1100);
  });

  it("is found also where its transaction was the first to begin and the last to commit", async () => {
    const { pool } = fresh.store;
    const slow = await pool.connect();
    await slow.query("begin");
    // As early as the index reckons with.
    await slow.query(insert.replace("now()", "now() - interval '999 milliseconds'"), [1, 1]);
    // More than one batch, of which each is after it.
    await pool.query(
      `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, finished_at)
       select 'run_' || n, 'pipeline', 'run_' || n, 0, 'flow', 'ada', 'done', '{}', now() + interval '1 minute'
         from generate_series(2, 700) n`,
    );
    await all();
    expect(await indexedIds()).toHaveLength(699);
    await slow.query("commit");
    slow.release();
    await all();
    expect(await indexedIds()).toContain("run_1");
    expect(await indexedIds()).toHaveLength(700);
  });

  it("is written in one batch where it is much, and read in several", async () => {
    await end(1, 1100);
    expect(await indexBatch(fresh.store)).toBe(1100);
    expect(new Set(await indexedIds()).size).toBe(1100);
  });

  it("is written a few at a time where its logs are long, and each whole", async () => {
    const { pool } = fresh.store;
    await end(1, 4);
    await pool.query("update executions set log_count = case id when 'run_2' then 80000 else 30000 end");
    const batches: (number | null)[] = [];
    for (let some = await indexBatch(fresh.store); some !== 0; some = await indexBatch(fresh.store)) {
      batches.push(some);
    }
    expect(batches).toEqual([1, 1, 1, 1]);
    expect(new Set(await indexedIds())).toEqual(new Set(["run_1", "run_2", "run_3", "run_4"]));
  });

  it("goes with its run", async () => {
    await end(1);
    await all();
    await fresh.store.pool.query("delete from executions");
    await all();
    expect(await indexedIds()).toEqual([]);
  });

  it("is written once where a batch ends in the middle", async () => {
    const { pool } = fresh.store;
    await end(1, 40);
    await pool.query(
      `create function crash() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`,
    );
    const crashing = ["search_pending", "search_blocks", "search_progress"];
    for (const table of crashing) {
      await pool.query(
        `create trigger crash after insert or update or delete on ${table} execute function crash()`,
      );
      await expect(indexBatch(fresh.store)).rejects.toThrow("crash");
      await pool.query(`drop trigger crash on ${table}`);
      expect(await indexedIds()).toEqual([]);
    }
    await all();
    expect((await indexedIds()).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, n) => `run_${n + 1}`).toSorted(),
    );
  });

  it("S-232: goes on where it was when a process dies in the middle of a batch", async () => {
    const { pool } = fresh.store;
    await end(1, 1200);
    await indexBatch(fresh.store, batch);
    const before = await indexedIds();
    expect(before).toHaveLength(batch);
    // All of the batch is written but the place that it comes to.
    const holder = await pool.connect();
    await holder.query("begin; select from search_progress for update");
    const dying = await fresh.another();
    const cutOff = expect(indexBatch(dying, batch)).rejects.toThrow();
    await until("its connection is cut", async () => {
      const { rows } = await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%update search_progress%'`,
      );
      return rows.length > 0;
    });
    await cutOff;
    await holder.query("rollback");
    holder.release();
    await dying.close();
    expect(await indexedIds()).toEqual(before);
    await all();
    const ids = await indexedIds();
    expect(ids).toHaveLength(1200);
    expect(new Set(ids).size).toBe(1200);
  });

  it("costs no write where nothing ends", async () => {
    await end(1);
    await all();
    const before = await progress();
    await all();
    expect(await progress()).toEqual(before);
  });
});

describe("a database that cannot have the index", () => {
  it("is a service without that capability, which writes nothing for it", async () => {
    const service = await startService({ through: withoutExtensions });
    try {
      const capabilities = await (await service.call(service.keys.ada, "GET", "/capabilities")).json();
      expect(capabilities.extensions).toContain("runs");
      expect(capabilities.extensions).not.toContain("search");
      expect((await service.call(service.keys.ada, "GET", "/search?q=abc")).status).toBe(404);
      expect((await service.call(service.keys.ada, "GET", "/runs")).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});

/** The address of somebody who may do anything with the tables, and create nothing in the database. */
async function withoutExtensions(databaseUrl: string): Promise<string> {
  const role = `limited_${Date.now()}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("drop extension if exists pg_trgm cascade");
  await client.query(`create role ${role} login bypassrls`);
  for (const schema of ["public", "graphile_worker"]) {
    await client.query(`grant usage on schema ${schema} to ${role}`);
    for (const kind of ["tables", "sequences", "functions"]) {
      await client.query(`grant all on all ${kind} in schema ${schema} to ${role}`);
    }
  }
  await client.end();
  return databaseUrl.replace(/\/\/[^@]*@/, `//${role}@`);
}
