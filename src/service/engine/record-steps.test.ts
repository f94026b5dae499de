import { sql } from "kysely";
import { expect, test } from "vitest";
import { ended, expireLeases, takeOver } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog, readSteps } from "../../testing/executions.ts";
import { startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import { limits } from "./engine-error.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const tests = engineTests();
const db = () => tests.fresh.store.db;
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);

/** A kind whose executions all record one step in the same moment, with a row and a line, once they are let go. */
async function together(name: string) {
  const { pool } = tests.fresh.store;
  await pool.query(`create table ${name} (id text, at bigint default txid_current(), unique (id))`);
  const write = (rows: readonly JsonValue[]) => sql`written_${sql.raw(name)} as (
    insert into ${sql.table(name)} (id)
    select given.id from json_to_recordset(${toJson(rows)}::json) as given (execution_id text, id text)
      join recorded on recorded.execution_id = given.execution_id)`;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const begun: string[] = [];
  const kind: Kind = {
    async advance({ id }, journal) {
      begun.push(id);
      await opened;
      const rows = [{ write, row: { id } }];
      await journal.record("step", { type: "done", output: id }, { log: [`step of ${id}`], rows });
      return { type: "done", result: null };
    },
  };
  const engine = await tests.working({ scripted: kind }, 20);
  const ids = idsOf(name, 6);
  await Promise.all(ids.map((id) => engine.launch(startOf(id, []))));
  await until("all have begun", () => begun.length === ids.length);
  const written = () =>
    pool.query<{ id: string; at: string }>(`select id, at from ${name} order by id`).then(({ rows }) => rows);
  return { ids, open: () => open(), written };
}

async function whatIsThere(id: string) {
  const keys = (await readSteps(db(), id)).map((step) => [step.key, step.output]);
  return { keys, log: await readLog(db(), id) };
}

test("steps of one moment are recorded in one transaction, each with its own lines and rows", async () => {
  const { ids, open, written } = await together("moment");
  open();
  for (const id of ids) expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  for (const id of ids)
    expect(await whatIsThere(id)).toEqual({ keys: [["step", id]], log: [`step of ${id}`] });
  const rows = await written();
  expect(rows.map((row) => row.id)).toEqual(ids);
  expect(new Set(rows.map((row) => row.at)).size).toBe(1);
});

test("S-03: of steps of one moment, that of a worker that has lost its execution is not recorded; the others are", async () => {
  const { ids, open, written } = await together("lost");
  await takeOver(tests.fresh.store, "lost3");
  open();
  const ours = ids.filter((id) => id !== "lost3");
  for (const id of ours) expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  expect((await written()).map((row) => row.id)).toEqual(ours);
  expect(await whatIsThere("lost3")).toEqual({ keys: [], log: [] });
  await expireLeases(tests.fresh.store, "lost3");
  expect(await ended(tests.fresh.store, "lost3")).toMatchObject({ state: "done" });
  expect(await whatIsThere("lost3")).toEqual({ keys: [["step", "lost3"]], log: ["step of lost3"] });
});

test("of steps of one moment, one of an execution that somebody holds waits alone", async () => {
  const { ids, open } = await together("busy");
  const holder = await tests.fresh.store.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from executions where id = 'busy2' for no key update");
    open();
    for (const id of ids.filter((one) => one !== "busy2"))
      expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
    expect(await whatIsThere("busy2")).toEqual({ keys: [], log: [] });
  } finally {
    await holder.query("commit");
    holder.release();
  }
  expect(await ended(tests.fresh.store, "busy2")).toMatchObject({ state: "done" });
  expect(await whatIsThere("busy2")).toEqual({ keys: [["step", "busy2"]], log: ["step of busy2"] });
});

test("of steps of one moment, one whose rows cannot be written fails alone", async () => {
  const { ids, open, written } = await together("refused");
  await tests.fresh.store.pool.query("insert into refused (id) values ('refused2')");
  open();
  for (const id of ids) {
    const state = id === "refused2" ? "failed" : "done";
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state });
    expect((await whatIsThere(id)).keys).toEqual(state === "done" ? [["step", id]] : []);
  }
  expect((await written()).map((row) => row.id)).toEqual(ids);
});

test("of steps of one moment, one with more log than it may have fails alone, and says why", async () => {
  const { ids, open, written } = await together("overfull");
  await tests.fresh.store.pool.query("update executions set log_bytes = $1 where id = 'overfull1'", [
    limits.logBytes,
  ]);
  open();
  const fine = ids.filter((id) => id !== "overfull1");
  for (const id of fine) expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  expect(await ended(tests.fresh.store, "overfull1")).toMatchObject({
    state: "failed",
    error: expect.stringContaining("the log is larger than"),
  });
  expect((await written()).map((row) => row.id)).toEqual(fine);
  expect((await readExecution(db(), "overfull0"))?.logCount).toBe(1);
});
