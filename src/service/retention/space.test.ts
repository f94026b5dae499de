import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { putExecution } from "../../testing/retention.ts";
import { retentionSuite } from "../../testing/retention-suite.ts";
import { compactTables, freeSpace } from "./space.ts";

const { context, db, put, remove, runs } = retentionSuite();
// Whoever analyzes any table just then may still see the deleted rows, and nothing would be given back of them.
beforeAll(async () => {
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db());
  for (const { name } of rows) {
    await sql`alter table ${sql.table(name)} set (autovacuum_enabled = off)`.execute(db());
  }
});
const signal = new AbortController().signal;
const old = 3_000;

/** Many old runs and a young one after them, as the newest are always at the end. */
async function history(): Promise<void> {
  await sql`
    insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, log_count, created_at, started_at, finished_at)
    select 'run_' || n, 'pipeline', 'run_' || n, 0, 'flow_report', 'user_ada', 'done', '{"name":"Report"}', 1, at, at, at
      from generate_series(1, ${sql.lit(old)}) n, (select now() - interval '100 days' as at) past`.execute(
    db(),
  );
  await sql`insert into log_lines select id, 1, 'the same line' from executions`.execute(db());
  await put({ id: "run_young", days: 1 });
}

const indexBytes = async () => {
  const { rows } = await sql<{
    bytes: number;
  }>`select pg_indexes_size('executions')::float8 as bytes`.execute(db());
  return rows[0]?.bytes ?? 0;
};
const gone = async () => (await remove({ runs: "90d" }))?.runs ?? 0;

describe("the room of what was deleted", () => {
  it("goes back to the disk with the indexes where most went, also after one that was cut off", async () => {
    await history();
    const before = await indexBytes();
    // What `reindex concurrently` leaves behind where it does not come to its end.
    await expect(
      context().store.pool.query("create unique index concurrently cut_off_ccnew on log_lines (text)"),
    ).rejects.toThrow("could not create unique index");
    await freeSpace(context().store, signal, await gone());
    expect(await indexBytes()).toBeLessThan(before / 2);
    const { rows } = await sql`select from pg_index where not indisvalid`.execute(db());
    expect(rows).toEqual([]);
    expect(await runs()).toEqual(["run_young"]);
  });

  it("is left to new rows where little went: no index is built anew", async () => {
    await history();
    const names = async () =>
      (
        await sql<{ file: string }>`select pg_relation_filenode('executions_pkey')::text as file`.execute(
          db(),
        )
      ).rows;
    const before = await names();
    await freeSpace(context().store, signal, old / 10);
    expect(await names()).toEqual(before);
  });

  it("S-332: is left where it is once the work was stopped", async () => {
    const stopped = AbortSignal.abort();
    expect(await freeSpace(context().store, stopped, old)).toEqual([]);
    expect(await compactTables(context().store, stopped)).toEqual([]);
  });

  it("is given back whole by writing the tables anew", async () => {
    await history();
    await gone();
    let before: number | undefined;
    const share = async () => {
      const sizes = await compactTables(context().store, signal);
      const executions = sizes.find(({ table }) => table === "executions");
      before ??= executions?.before;
      return (executions?.after ?? Number.POSITIVE_INFINITY) / (before ?? 0);
    };
    // Whoever looks at the database just then, such as an analysis of its catalogue, still sees what was deleted.
    await expect.poll(share, { timeout: 60_000 }).toBeLessThan(1 / 3);
    await putExecution(context(), { id: "run_after" });
    expect(await runs()).toEqual(["run_after", "run_young"]);
  });
});
