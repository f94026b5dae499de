import { expect, test } from "vitest";
import { ended } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { startOf } from "../../testing/scripted-kind.ts";
import { lockKeys } from "../store/lock-keys.ts";
import { leaseSeconds } from "./claim.ts";
import type { Kind } from "./kind.ts";

const tests = engineTests();

test("S-198: a worker that is cut off in the middle of a write and of a sweep keeps others from its work no longer than its lease", async () => {
  const { store } = tests.fresh;
  const kind: Kind = { advance: async () => ({ type: "done", result: null }) };
  await (await tests.working({})).start(store.db, startOf("held", []));
  const cutOff = await tests.fresh.another();
  const client = await cutOff.pool.connect();
  client.on("error", () => undefined);
  await store.pool.query(
    `update executions set state = 'running', owner = 'cut off', lease = clock_timestamp() + make_interval(secs => $1)
        where id = 'held'`,
    [leaseSeconds],
  );
  await client.query("begin");
  await client.query("select from executions where id = 'held' for no key update");
  await client.query("select pg_advisory_xact_lock($1)", [lockKeys.sweep]);
  const begun = performance.now();
  await tests.working({ scripted: kind });
  await ended(store, "held", 60_000);
  expect(performance.now() - begun).toBeLessThan(13_000);
  client.release(true);
  await cutOff.close();
}, 90_000);
