import { afterEach, expect, test, vi } from "vitest";
import { ended } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { type Script, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { leaseSeconds } from "./claim.ts";
import { sweep } from "./sweep.ts";

const tests = engineTests();
afterEach(() => {
  vi.useRealTimers();
});

const hour = 3_600_000;
const script: Script = [{ do: "effect" }, { do: "effect" }];

/** When the lease of an execution ends, and how many seconds that is from now, by the database's clock. */
async function leaseOf(id: string) {
  const { rows } = await tests.fresh.store.pool.query<{ lease: string; left: number }>(
    `select lease::text, extract(epoch from lease - clock_timestamp())::float8 as left from executions where id = $1`,
    [id],
  );
  return rows[0] ?? { lease: "", left: Number.NaN };
}

test.each([
  ["forwards", hour],
  ["backwards", -hour],
])(
  "S-09: when the clock of a machine jumps an hour %s, leases stay as long as they are and nothing is done twice",
  async (way, jump) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { store } = tests.fresh;
    const ledger: string[] = [];
    const lefts: number[] = [];
    const kind = scriptedKind({
      async before(id, key) {
        ledger.push(key);
        if (key !== "1") return;
        vi.setSystemTime(Date.now() + jump);
        const { lease } = await leaseOf(id);
        await until("the next heartbeat", async () => (await leaseOf(id)).lease !== lease);
        lefts.push((await leaseOf(id)).left);
        // What lost its lease is handed out now, and there is somebody to take it.
        await sweep(store.db);
      },
    });
    const first = await tests.working({ scripted: kind }, 1);
    await tests.working({ scripted: kind }, 1);
    await first.start(store.db, startOf(`jumps-${way}`, script));
    expect(await ended(store, `jumps-${way}`)).toMatchObject({ state: "done", result: 2 });
    expect(ledger).toEqual(["0", "1"]);
    for (const left of lefts) expect(left).toBeGreaterThan(0);
    for (const left of lefts) expect(left).toBeLessThanOrEqual(leaseSeconds);
    expect(lefts).toHaveLength(1);
  },
);
