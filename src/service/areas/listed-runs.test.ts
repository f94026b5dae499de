import { Kysely, PostgresDialect, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import type { Database } from "../store/schema.ts";
import { createListedRuns, type ListedRuns } from "./listed-runs.ts";

let fresh: FreshStore;
let listed: ListedRuns;
let statements = 0;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  await sql`truncate executions cascade`.execute(fresh.store.db);
  listed = createListedRuns();
});

/** Counts what is asked. */
const counting = () =>
  new Kysely<Database>({
    dialect: new PostgresDialect({ pool: fresh.store.pool }),
    log: () => void statements++,
  });

async function add(id: string, state: "queued" | "done", inputs: object = {}) {
  await sql`
    insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, finished_at)
    values (${id}, 'pipeline', ${id}, 0, 'flow', 'user_ada', ${state}, ${JSON.stringify({ name: "Hello", inputs })}::json,
            case ${state} when 'done' then now() end)`.execute(fresh.store.db);
}

/** What was listed, and by how many statements. */
async function list(...ids: string[]) {
  statements = 0;
  const rows = await listed(counting(), ids);
  return { rows: rows.map((row) => `${row.id} ${row.state}`), statements };
}

test("a list has its runs in order, without those that are gone", async () => {
  await add("run_a", "done");
  await add("run_b", "queued");
  expect((await list("run_b", "run_gone", "run_a")).rows).toEqual(["run_b queued", "run_a done"]);
  expect((await list("run_a", "run_b", "run_gone")).rows).toEqual(["run_a done", "run_b queued"]);
});

test("a run that has ended is read once, one that goes on each time, and no list asks for nothing", async () => {
  await add("run_a", "done");
  await add("run_b", "queued");
  expect((await list("run_a")).statements).toBe(1);
  expect(await list("run_a")).toEqual({ rows: ["run_a done"], statements: 0 });
  expect((await list("run_b", "run_a")).rows).toEqual(["run_b queued", "run_a done"]);
  await sql`update executions set state = 'done', finished_at = now() where id = 'run_b'`.execute(
    fresh.store.db,
  );
  expect(await list("run_b", "run_a")).toEqual({ rows: ["run_b done", "run_a done"], statements: 1 });
  expect((await list("run_b", "run_a")).statements).toBe(0);
  expect(await list()).toEqual({ rows: [], statements: 0 });
});

test("a run with much in its inputs is read each time, lest what is remembered takes much room", async () => {
  const inputs = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field_${n}`, "x".repeat(250)]));
  await add("run_a", "done", inputs);
  await list("run_a");
  expect(await list("run_a")).toEqual({ rows: ["run_a done"], statements: 1 });
});
