import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pino from "pino";
import { expect, test } from "vitest";
import { freshStore } from "../../testing/database.ts";
import { databaseProxy } from "../../testing/database-proxy.ts";
import { brokenInvariants, ended, testEngine } from "../../testing/engine.ts";
import { readLog } from "../../testing/executions.ts";
import { nested, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { connectStore, openStore } from "../store/store.ts";
import { isDatabaseUnavailable } from "../store/store-error.ts";
import type { Kind } from "./kind.ts";

const long = process.env.WHEELHOUSE_LONG === "1";

test("S-05: the database server is killed again and again under load, and every run ends once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wh-outage-"));
  await chmod(folder, 0o755);
  const store = await openStore({ dataDirectory: folder, log: pino({ level: "silent" }) });
  const engine = testEngine(store, { scripted: scriptedKind() }, { concurrency: 8 });
  await engine.work();
  const ids: string[] = [];
  const refused: unknown[] = [];
  for (let round = 0; round < (long ? 40 : 1); round++) {
    for (let index = 0; index < 10; index++) {
      const id = `run-${round}-${index}`;
      // A start either happens or says that the database is away: never neither.
      await engine.start(store.db, startOf(id, nested(1, 40))).then(
        () => ids.push(id),
        (error: unknown) => refused.push(error),
      );
    }
    await delay(Math.random() * 200);
    const pid = await serverPid(folder);
    process.kill(pid, "SIGKILL");
    // Its old processes answer for a moment longer.
    await until("there is another server", async () => ![0, pid].includes(await serverPid(folder)));
    await until("the database is back", () =>
      store.pool.query("select 1").then(
        () => true,
        () => false,
      ),
    );
  }
  for (const id of ids) expect(await ended(store, id, 40_000)).toMatchObject({ state: "done" });
  for (const id of ids) expect(await readLog(store.db, id)).toEqual(["step 0", "step 3", "done"]);
  expect(refused.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
  expect(await brokenInvariants(store)).toEqual([]);
  await engine.stop({ graceMs: 1_000 });
  await store.close();
  // The database may still write its last.
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}, 300_000);

test("S-05: a worker whose database says nothing stops what it does before another begins it, and works again afterwards", async () => {
  const fresh = await freshStore();
  const proxy = await databaseProxy(fresh.url);
  const mine = await connectStore(
    { connectionString: proxy.url },
    { log: pino({ level: "silent" }), queryTimeoutMs: 1_000 },
  );
  const events: string[] = [];
  const kindOf = (name: string): Kind => ({
    async advance(execution, { signal }) {
      events.push(`${name} begins ${execution.id}`);
      if (execution.id !== "long" || name === "other") return { type: "done", result: null };
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      events.push(`${name} stops ${execution.id}`);
      throw signal.reason;
    },
  });
  const first = testEngine(mine, { scripted: kindOf("first") }, { concurrency: 1 });
  await first.work();
  await first.start(fresh.store.db, startOf("long", []));
  await until("the first has it", () => events.length === 1);
  proxy.hang();
  const other = testEngine(fresh.store, { scripted: kindOf("other") });
  await other.work();
  expect(await ended(fresh.store, "long")).toMatchObject({ state: "done" });
  expect(events).toEqual(["first begins long", "first stops long", "other begins long"]);
  await other.stop({ graceMs: 0 });
  await proxy.mend();
  await first.start(fresh.store.db, startOf("after", []));
  expect(await ended(fresh.store, "after")).toMatchObject({ state: "done" });
  expect(events.at(-1)).toBe("first begins after");
  await first.stop({ graceMs: 0 });
  await mine.close();
  await proxy.close();
  await fresh.drop();
}, 120_000);

test("a row that somebody holds for long keeps no other work of the same worker from its lease", async () => {
  const fresh = await freshStore();
  const stopped: string[] = [];
  const kind: Kind = {
    async advance(execution, { signal }) {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      stopped.push(execution.id);
      throw signal.reason;
    },
  };
  const engine = testEngine(fresh.store, { scripted: kind });
  await engine.work();
  for (const id of ["held", "free"]) await engine.start(fresh.store.db, startOf(id, []));
  const leases = async () =>
    (
      await fresh.store.pool.query<{ id: string; lasts: number }>(
        "select id, extract(epoch from lease - now())::float8 as lasts from executions where state = 'running' order by id",
      )
    ).rows;
  await until("both run", async () => (await leases()).length === 2);
  await fresh.store.db.transaction().execute(async (tx) => {
    // For longer than the service lets a silent transaction of its own.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await sql`select from executions where id = 'held' for update`.execute(tx);
    await until("only the lease of the held one runs out", async () => {
      const [free, held] = await leases();
      expect(free?.lasts).toBeGreaterThan(0);
      return held !== undefined && held.lasts < 0;
    });
  });
  expect(stopped).toEqual(["held"]);
  await engine.stop({ graceMs: 0 });
  await fresh.drop();
}, 120_000);

async function serverPid(folder: string): Promise<number> {
  const text = await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8").catch(() => "0");
  return Number(text.split("\n")[0]);
}
