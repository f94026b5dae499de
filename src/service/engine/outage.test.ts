import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { expect, test } from "vitest";
import { brokenInvariants, ended, testEngine } from "../../testing/engine.ts";
import { nested, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { openStore } from "../store/store.ts";
import { isDatabaseAway } from "../store/store-error.ts";
import { readLog } from "./queries.ts";

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
  expect(refused.filter((error) => !isDatabaseAway(error))).toEqual([]);
  expect(await brokenInvariants(store)).toEqual([]);
  await engine.stop({ graceMs: 1_000 });
  await store.close();
  // The database may still write its last.
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}, 300_000);

async function serverPid(folder: string): Promise<number> {
  const text = await readFile(join(folder, "postgres/data/postmaster.pid"), "utf8").catch(() => "0");
  return Number(text.split("\n")[0]);
}
