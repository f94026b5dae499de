import pino from "pino";
import { expect, test } from "vitest";
import { freshStore } from "../../testing/database.ts";
import { databaseProxy } from "../../testing/database-proxy.ts";
import { startRunner } from "./runner.ts";

test("S-05: a process whose database breaks at its very start takes jobs all the same, once it is back", async () => {
  const fresh = await freshStore();
  const proxy = await databaseProxy(fresh.url);
  let done: (payload: unknown) => void = () => {};
  const taken = new Promise<unknown>((resolve) => {
    done = resolve;
  });
  // The first statement of all places: they share its answer.
  proxy.breakAt("_private_tasks as tasks (identifier)", "before");
  const tasks = { look: async (payload: unknown) => done(payload) };
  const runner = await startRunner({ connectionString: proxy.url }, 2, tasks, pino({ level: "silent" }));
  await fresh.store.pool.query("select graphile_worker.add_job('look', '{\"at\":\"this\"}')");
  expect(await taken).toEqual({ at: "this" });
  await runner.stop();
  await runner.close();
  await proxy.close();
  await fresh.drop();
}, 60_000);
