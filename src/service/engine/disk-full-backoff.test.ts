import { expect, test } from "vitest";
import { ended } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog } from "../../testing/executions.ts";
import { scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { readExecution } from "./queries.ts";

const tests = engineTests();

test("S-72: while the database's disk is full what was accepted waits, and does nothing twice when there is room", async () => {
  const { store } = tests.fresh;
  const full = (table: string) => `
    create function full_${table}() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger disk_full before insert on ${table} for each row execute function full_${table}()`;
  const ledger: string[] = [];
  const kind = scriptedKind({ after: (id, key) => void ledger.push(`${id} ${key}`) });
  const engine = await tests.working({ scripted: kind });
  await store.pool.query(full("steps"));
  await engine.start(store.db, startOf("full", [{ do: "think" }, { do: "wait", ms: 1 }, { do: "think" }]));
  await until("it waits", async () =>
    (await readLog(store.db, "full")).some((line) => line.includes("is full")),
  );
  await until("a third try", async () => {
    const { rows } = await store.pool.query("select epoch from executions where id = 'full'");
    return rows[0].epoch > 2;
  });
  expect(await readExecution(store.db, "full")).toMatchObject({ finishedAt: null });
  await store.pool.query("drop trigger disk_full on steps");
  expect(await ended(store, "full")).toMatchObject({ state: "done" });
  expect((await readLog(store.db, "full")).filter((line) => line.includes("is full"))).toHaveLength(1);
  // Not even the log can be written.
  await store.pool.query(full("log_lines"));
  await engine.start(store.db, startOf("fuller", [{ do: "effect" }]));
  await until("it was tried", () => ledger.length > 0);
  await store.pool.query("drop trigger disk_full on log_lines");
  expect(await ended(store, "fuller")).toMatchObject({ state: "done" });
  // The try that was under way may have found room again for the line that says so.
  const said = (await readLog(store.db, "fuller")).filter((line) => !line.includes("is full"));
  expect(said).toEqual(["step 0", "done"]);
});
