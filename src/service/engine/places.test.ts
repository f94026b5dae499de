import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ended, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { readLog } from "../../testing/executions.ts";
import { hasBlockedQueries } from "../../testing/held-row.ts";
import { type Script, scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { claim } from "./claim.ts";
import type { Kind } from "./kind.ts";
import { readExecution } from "./queries.ts";
import { listen } from "./signals.ts";

const tests = engineTests();
const kinds = { scripted: scriptedKind() };

/** Notes, in each transaction that lets something of a team begin, how much of that team has begun and not ended. */
const witness = `
  create table begun_at_once (limit_key text, n integer);
  create function note_begun() returns trigger language plpgsql as $$
  begin
    insert into begun_at_once select new.limit_key, count(*) from executions
     where limit_key = new.limit_key and parent_id is null and started_at is not null and finished_at is null;
    return null;
  end $$;
  create trigger note_begun after update of started_at on executions for each row
    when (old.started_at is null and new.started_at is not null) execute function note_begun()`;
beforeAll(async () => {
  await tests.fresh.store.pool.query(witness);
});

async function mostAtOnce(teamId: string): Promise<number> {
  const { rows } = await tests.fresh.store.pool.query<{ most: number }>(
    "select max(n) as most from begun_at_once where limit_key = $1",
    [`team:${teamId}`],
  );
  return rows[0]?.most ?? 0;
}

const idsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${String(index).padStart(3, "0")}`);

async function startAll(ids: readonly string[], teamId: string, script: Script): Promise<void> {
  const engine = testEngine(tests.fresh.store, kinds);
  for (const id of ids) await engine.start(tests.fresh.store.db, { ...startOf(id, script), teamId });
}

const find = (id: string) => readExecution(tests.fresh.store.db, id);
const hasBegun = async (id: string) => (await find(id))?.startedAt != null;
const isHeld = async (id: string) => (await readLog(tests.fresh.store.db, id)).length > 0;

/** Each has begun, or has been told to wait. @returns those that have begun, and those that wait */
async function settled(ids: readonly string[]): Promise<{ begun: string[]; held: string[] }> {
  const begun: string[] = [];
  const held: string[] = [];
  for (const id of ids) {
    await until(`${id} begins or is held`, async () => (await hasBegun(id)) || (await isHeld(id)));
    if (await hasBegun(id)) begun.push(id);
    else held.push(id);
  }
  return { begun, held };
}

test("fifty runs of a team go at the same time, also while they wait; the others wait, say so, and begin in order", async () => {
  const engine = await tests.working(kinds);
  const ids = idsOf("sleeper", 54);
  await startAll(ids, "team_sleepers", [{ do: "wait", ms: 3_600_000 }]);
  const { begun, held } = await settled(ids);
  expect([begun.length, held.length]).toEqual([50, 4]);
  const [first = "", second = "", third = "", fourth = ""] = held;
  expect(await readLog(tests.fresh.store.db, first)).toEqual([
    expect.stringMatching(/\[run\] waiting: 50 runs and conversations of this team are already running/),
  ]);
  // Another team and people outside teams have places of their own.
  await startAll(["elsewhere"], "team_elsewhere", []);
  expect(await ended(tests.fresh.store, "elsewhere")).toMatchObject({ state: "done" });

  await engine.kill(begun[7] ?? "");
  await until("the first of those that wait begins", () => hasBegun(first));
  expect(await find(second)).toMatchObject({ state: "queued", startedAt: null });
  // One that waits can be killed, and takes nobody's place with it.
  expect(await engine.kill(second)).toEqual({ killed: true, ids: [second] });
  expect(await find(second)).toMatchObject({ state: "terminated", startedAt: null });
  await engine.kill(begun[8] ?? "");
  await until("the next one begins", () => hasBegun(third));
  expect(await hasBegun(fourth)).toBe(false);
  expect(await mostAtOnce("team_sleepers")).toBe(50);
  for (const id of ids) await engine.kill(id);
});

test("a place that becomes free is told to all workers in the same breath, where somebody waits for it", async () => {
  const engine = await tests.working(kinds);
  const ids = idsOf("breath", 52);
  await startAll(ids, "team_breath", [{ do: "wait", ms: 3_600_000 }]);
  await startAll(["alone"], "team_alone", [{ do: "wait", ms: 3_600_000 }]);
  const { begun } = await settled([...ids, "alone"]);
  // Nobody looks any more.
  await engine.stop({ graceMs: 1_000 });
  const told: string[] = [];
  let isListening = false;
  const listener = listen(tests.fresh.store.connection, {
    onSignal() {},
    onHold() {},
    onReady: (limitKey) => void told.push(limitKey),
    onConnect() {
      isListening = true;
    },
  });
  await until("somebody listens", () => isListening);
  const killer = testEngine(tests.fresh.store, kinds);
  await killer.kill("alone");
  await killer.kill(begun[0] ?? "");
  await until("it is told", () => told.length > 0);
  expect(told).toEqual(["team:team_breath"]);
  await listener.close();
  for (const id of ids) await engine.kill(id);
});

test("runs that wait for their sub-runs keep their places and lend them nobody", async () => {
  const engine = await tests.working(kinds);
  const ids = idsOf("parent", 53);
  await startAll(ids, "team_parents", [{ do: "children", scripts: [[{ do: "wait", ms: 3_600_000 }]] }]);
  const { begun, held } = await settled(ids);
  expect([begun.length, held.length]).toEqual([50, 3]);
  // Their sub-runs need no places of their own, or nothing would go on.
  for (const id of begun) await until("its sub-run begins", () => hasBegun(`${id}/0.0`));
  await engine.kill(`${begun[0]}/0.0`);
  await until("the next one begins in the place of the one that ended with its sub-run", () =>
    hasBegun(held[0] ?? ""),
  );
  expect(await mostAtOnce("team_parents")).toBe(50);
  for (const id of ids) await engine.kill(id);
});

test("sixty runs whose sub-runs have sub-runs all end, fifty at a time", async () => {
  await tests.working(kinds, 8);
  const ids = idsOf("tree", 60);
  const leaf: Script = [{ do: "effect" }, { do: "wait", ms: 20 }];
  const child: Script = [{ do: "children", scripts: [leaf] }];
  await startAll(ids, "team_trees", [{ do: "children", scripts: [child, child] }]);
  for (const id of ids) expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  expect(await mostAtOnce("team_trees")).toBeLessThanOrEqual(50);
});

const asking: Kind = {
  hasPlace: true,
  async advance(_, journal) {
    if (!journal.steps.has("ask")) await journal.wait("ask", 3_600_000);
    return { type: "waiting", forPeople: true };
  },
};

test("S-352: what waits for people has no place for long, also where its worker was cut off before it gave it", async () => {
  const { store } = tests.fresh;
  await store.pool.query("insert into running_limits values ('team:team_asking', 1)");
  const engine = await tests.working({ ...kinds, asking });
  const waitsWithout = async () =>
    (
      await store.pool.query(
        "select from executions where id = 'asks' and state = 'waiting' and not has_place",
      )
    ).rowCount === 1;
  await engine.start(store.db, { ...startOf("asks", []), kind: "asking", teamId: "team_asking" });
  await until("it waits without a place", waitsWithout);
  // As if its worker had died, or lost the database, just before.
  await store.pool.query("update executions set has_place = true where id = 'asks'");
  await startAll(["goes-meanwhile"], "team_asking", [{ do: "effect" }]);
  expect(await ended(store, "goes-meanwhile", 15_000)).toMatchObject({ state: "done" });
  await engine.kill("asks");
});

test("many workers of many processes on one database never let more than fifty of a team begin", async () => {
  const ledger = join(mkdtempSync(join(tmpdir(), "wheelhouse-places-")), "ledger");
  const ids = idsOf("race", 120);
  const other = idsOf("besides", 60);
  const script: Script = [{ do: "effect" }, { do: "wait", ms: 50 }, { do: "effect" }];
  await startAll(ids, "team_race", script);
  await startAll(other, "team_besides", script);
  await Promise.all([
    tests.working(kinds, 8),
    tests.working(kinds, 8),
    tests.workerProcess({ ledger, concurrency: 10 }),
    tests.workerProcess({ ledger, concurrency: 10 }),
  ]);
  for (const id of [...ids, ...other]) {
    expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
  }
  expect(await mostAtOnce("team_race")).toBeLessThanOrEqual(50);
  expect(await mostAtOnce("team_besides")).toBeLessThanOrEqual(50);
});

test("the last place of a team is given once: whoever claims it waits until another's claim is committed", async () => {
  const { db } = tests.fresh.store;
  const ids = idsOf("last", 51);
  await startAll(ids, "team_last", []);
  const by = { owner: "nobody", kinds: ["scripted"], placed: ["scripted"], heldLine: "waits as this %2$s" };
  const [second = "", first = ""] = ids.toReversed();
  for (const id of ids.slice(0, 49)) expect((await claim(db, id, by))?.state).toBe("running");
  let isAnswered = false;
  const others = await db.transaction().execute(async (tx) => {
    expect((await claim(tx, first, by))?.state).toBe("running");
    const claimed = claim(db, second, by).finally(() => {
      isAnswered = true;
    });
    await until(
      "the other one waits",
      async () => isAnswered || (await hasBlockedQueries(tests.fresh.store)),
    );
    return { claimed };
  });
  expect((await others.claimed)?.state).toBe("queued");
  for (const id of ids) await testEngine(tests.fresh.store, kinds).kill(id);
});
