import { sql } from "kysely";
import { expect, test } from "vitest";
import { ended, isDue } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog } from "../../testing/executions.ts";
import { scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";
import type { AttachedRow } from "./attached-rows.ts";
import type { End, Execution, Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";

const tests = engineTests();

/** A kind of which each execution is done at once; what belongs to its end cannot be written where `broken` says so. */
function fragileKind(broken: (execution: Execution, end: End) => boolean) {
  const told: string[] = [];
  const kind: Kind = {
    advance: async () => ({ type: "done", result: "all of it" }),
    async ended(tx, execution, end) {
      told.push(`${execution.id} ${end.type}`);
      // So that the database refuses everything that comes after it in this transaction.
      if (broken(execution, end))
        await tx
          .selectFrom("steps")
          .select("nothing_like_it" as "key")
          .execute();
    },
  };
  return { kind, told };
}

/** Seconds until it is ready; null where it is, or is not queued. */
async function pause(id: string): Promise<number | null> {
  const { rows } = await tests.fresh.store.pool.query<{ pause: number }>(
    `select extract(epoch from queued_at - now())::float8 as pause from executions
      where id = $1 and state = 'queued' and queued_at > now()`,
    [id],
  );
  return rows[0]?.pause ?? null;
}

test("a run whose end cannot be written is tried five times with growing pauses, then fails and says so; others go on", async () => {
  const lines: string[] = [];
  const { kind, told } = fragileKind(() => true);
  // One place: whoever holds it holds up everybody.
  const engine = await tests.working({ fragile: kind, scripted: scriptedKind() }, 1, (line) =>
    lines.push(line),
  );
  const { store } = tests.fresh;
  await engine.start(store.db, { ...startOf("broken", []), kind: "fragile" });
  const pauses: number[] = [];
  for (let tries = 1; tries < 5; tries++) {
    await until(`try ${tries}`, async () => told.length === tries && (await pause("broken")) !== null);
    pauses.push((await pause("broken")) ?? 0);
    expect(await readExecution(store.db, "broken")).toMatchObject({ state: "queued" });
    await engine.start(store.db, startOf(`other${tries}`, [{ do: "effect" }]));
    expect(await ended(store, `other${tries}`)).toMatchObject({ state: "done" });
    expect(told).toHaveLength(tries);
    await isDue(store, "broken");
  }
  for (const [index, seconds] of pauses.entries())
    expect(seconds).toBeGreaterThan(2 * (pauses[index - 1] ?? 0));
  const end = await ended(store, "broken");
  expect(end).toMatchObject({
    state: "failed",
    result: null,
    error: "what belongs to its end could not be written (the service's log has more under broken)",
  });
  expect(await readLog(store.db, "broken")).toEqual([
    expect.stringMatching(/\[run\] failed: what belongs to its end could not be written/),
  ]);
  // The fifth time it was also asked to write that it failed.
  expect(told.slice(4)).toEqual(["broken done", "broken failed"]);
  const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
  expect(errors).toHaveLength(6);
  for (const error of errors) {
    expect(error).toMatchObject({ execution: "broken", err: { message: /nothing_like_it/ } });
  }
  expect(await pause("broken")).toBeNull();
});

test("a run whose result cannot be written, but whose failure can, ends as failed for everybody", async () => {
  const { kind, told } = fragileKind((_, end) => end.type === "done");
  const engine = await tests.working({ fragile: kind });
  const { store } = tests.fresh;
  await engine.start(store.db, { ...startOf("no-result", []), kind: "fragile" });
  for (let tries = 1; tries < 5; tries++) {
    await until(`try ${tries}`, async () => told.length === tries && (await pause("no-result")) !== null);
    await isDue(store, "no-result");
  }
  expect(await ended(store, "no-result")).toMatchObject({ state: "failed" });
  expect(told.at(-1)).toBe("no-result failed");
});

test("a row of an end that cannot be written: the run fails, with the row of that end, or without one", async () => {
  const { store } = tests.fresh;
  await store.pool.query(`create table ends (id text, how text,
    check (how <> 'done'), constraint of_none check (id <> 'no-row-at-all'))`);
  let tries: string[] = [];
  const kind: Kind = {
    advance: async () => ({ type: "done", result: "all of it" }),
    rowsOfEnd(_, { type: how }) {
      tries.push(how);
      const write: AttachedRow["write"] = (rows) => sql`ends_of as (
        insert into ends (id, how) select execution_id, how from recorded
          join json_to_recordset(${toJson(rows)}::json) as given (execution_id text, how text) using (execution_id))`;
      return [{ write, row: { how } }];
    },
  };
  const lines: string[] = [];
  const engine = await tests.working({ rows: kind }, 1, (line) => lines.push(line));
  for (const id of ["no-row-of-done", "no-row-at-all"]) {
    tries = [];
    await engine.start(store.db, { ...startOf(id, []), kind: "rows" });
    for (let count = 1; count < 5; count++) {
      await until(`try ${count}`, async () => tries.length === count && (await pause(id)) !== null);
      await isDue(store, id);
    }
    expect(await ended(store, id)).toMatchObject({ state: "failed", result: null });
    expect(tries.slice(4)).toEqual(["done", "failed"]);
  }
  const { rows } = await store.pool.query("select id, how from ends");
  expect(rows).toEqual([{ id: "no-row-of-done", how: "failed" }]);
  const without = lines.filter((line) => line.includes("is failed without what belongs to its end"));
  expect(without.map((line) => JSON.parse(line))).toMatchObject([
    { execution: "no-row-at-all", err: { message: /of_none/ } },
  ]);
});

/** A tree: the run and three sub-runs that wait, of which one cannot write what belongs to its end. */
function family(finish: Promise<void>) {
  const written: string[] = [];
  const kind: Kind = {
    async advance(execution, journal) {
      if (execution.depth === 1) {
        await journal.wait("long", 3_600_000);
        return { type: "waiting" };
      }
      for (const name of ["a", "b", "c"]) {
        await journal.spawn(name, { ...startOf(`${execution.id}/${name}`, []), kind: "family" });
      }
      await finish;
      return { type: "done", result: "the head" };
    },
    async ended(tx, execution) {
      if (execution.id.endsWith("/b"))
        await tx
          .selectFrom("steps")
          .select("nothing" as "key")
          .execute();
      written.push(execution.id);
    },
  };
  return { kind, written };
}

test.each(["a kill", "the end of the run above it"])(
  "one sub-run that cannot write its end keeps %s from nobody, and the log names it",
  async (what) => {
    const id = what.replaceAll(" ", "-");
    const lines: string[] = [];
    let finish = () => {};
    const { kind, written } = family(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    const engine = await tests.working({ family: kind }, 4, (line) => lines.push(line));
    const { store } = tests.fresh;
    await engine.start(store.db, { ...startOf(id, []), kind: "family" });
    const state = async (name: string) => (await readExecution(store.db, `${id}/${name}`))?.state;
    for (const name of ["a", "b", "c"])
      await until(`${name} waits`, async () => (await state(name)) === "waiting");
    if (what === "a kill") expect((await engine.kill(id)).ids).toHaveLength(4);
    else finish();
    expect(await ended(store, id)).toMatchObject({ state: what === "a kill" ? "terminated" : "done" });
    for (const name of ["a", "b", "c"]) expect(await state(name)).toBe("terminated");
    expect(written.sort()).toEqual([id, `${id}/a`, `${id}/c`]);
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    expect(errors).toEqual([expect.objectContaining({ execution: `${id}/b`, kind: "family" })]);
  },
);
