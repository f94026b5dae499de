import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testFolder } from "../../testing/backup.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { createPrograms } from "../../testing/programs.ts";
import { until } from "../../testing/until.ts";

const folder = testFolder();
const programs = createPrograms();
let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  const person = "{ id: a, email: a@example.org, first_name: A, last_name: B, plan: free }";
  writeFileSync(folder.in("wheelhouse.yaml"), `people: [${person}]\nretention: { runs: 90d }\n`);
});
afterAll(async () => {
  await programs.endAll("SIGKILL");
  await fresh.drop();
  folder.remove();
});

test("S-332: retention that is stopped before its end says so and ends with 1", async () => {
  const holder = await fresh.store.pool.connect();
  await holder.query("begin; select pg_advisory_xact_lock(hashtextextended('retention', 0))");
  const flags = ["--workspace", folder.path, "--files", folder.in("files"), "--data", folder.in("data")];
  const { child, said, code } = programs.start(["retention", ...flags], { DATABASE_URL: fresh.url });
  await until("it waits for its turn", async () => {
    const { rows } = await fresh.store.pool.query(
      `select from pg_locks join pg_database on pg_database.oid = database
        where datname = current_database() and locktype = 'advisory' and not granted`,
    );
    return rows.length > 0;
  });
  child.kill("SIGTERM");
  await holder.query("commit");
  holder.release();
  expect(await code).toBe(1);
  expect(said.out).toContain("Deleted 0 runs");
  expect(said.err).toContain("Stopped. Begin again to go on.");
}, 60_000);
