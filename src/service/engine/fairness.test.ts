import { expect, test, vi } from "vitest";
import { deferred } from "../../testing/deferred.ts";
import { ended, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { startOf } from "../../testing/scripted-kind.ts";
import { until } from "../../testing/until.ts";
import { claim } from "./claim.ts";
import { claimReady } from "./claim-ready.ts";
import type { Kind } from "./kind.ts";
import { placesBefore } from "./places-before.ts";
import { readExecution } from "./queries.ts";
import { listen } from "./signals.ts";

const tests = engineTests();

/** A kind whose executions stay at work until they are let go, each by its id. */
function gates() {
  const open = new Map<string, () => void>();
  const begun: string[] = [];
  const kind: Kind = {
    hasPlace: true,
    advance: ({ id }) =>
      new Promise((resolve) => {
        begun.push(id);
        open.set(id, () => resolve({ type: "done", result: null }));
      }),
  };
  return { kind, begun, end: (id: string) => open.get(id)?.() };
}

/** Queues so many of a team and person, in their order. */
async function queue(name: string, count: number, teamId: string | null, userId: string, kind = "scripted") {
  const engine = testEngine(tests.fresh.store, {});
  const ids = Array.from({ length: count }, (_, n) => `${name}${String(n).padStart(3, "0")}`);
  for (const id of ids)
    await engine.start(tests.fresh.store.db, { ...startOf(id, []), teamId, userId, kind });
  return ids;
}
const removeAll = async (ids: readonly string[]) => {
  const engine = testEngine(tests.fresh.store, {});
  for (const id of ids) await engine.kill(id);
};

const claimant = {
  owner: "nobody",
  kinds: ["scripted"],
  placed: ["scripted"],
  heldLine: "%1$s %2$s %3$s %4$s",
};
/** Claims so many of what is ready. @returns their ids in the order in which they were handed out */
async function handOut(count: number): Promise<string[]> {
  const room = { count, fullTeams: [], fullPeople: [] };
  const { rows } = await claimReady(tests.fresh.store.db, claimant, room, null);
  return rows.map(({ id }) => id);
}

test("S-53: behind 200 of one team, another team's run is the next that one process takes; then they take turns", async () => {
  const { kind, begun, end } = gates();
  const loud = await queue("loud", 200, "team_loud", "ann");
  await tests.working({ scripted: kind }, 1);
  await until("the first begins", () => begun.length === 1);
  const quiet = await queue("quiet", 3, "team_quiet", "bob");
  // A place beyond: it need not even wait for the slow one to end.
  await until("the other team's begins beside it", () => begun.length === 2);
  expect(begun).toEqual([loud[0], quiet[0]]);
  end("quiet000");
  expect(await ended(tests.fresh.store, "quiet000")).toMatchObject({ state: "done" });
  await until("its next one begins", () => begun.length === 3);
  expect(begun[2]).toBe(quiet[1]);
  await removeAll([...loud, ...quiet]);
});

test("S-53: behind 50 of one person of a team, that of another begins next, in every process, of any kind", async () => {
  const { kind, begun } = gates();
  const mine = await queue("mine", 50, "team_both", "ann");
  await tests.working({ scripted: kind, turn: kind }, 2);
  await tests.working({ scripted: kind, turn: kind }, 2);
  await until("all places are taken", () => begun.length === 4);
  const other = await queue("other", 1, "team_both", "bob", "turn");
  await until("the other person's begins", () => begun.includes("other000"));
  expect(begun).toHaveLength(5);
  await removeAll([...mine, ...other]);
});

test("as many of a team go at the same time as the operator has set for it", async () => {
  const { kind, begun, end } = gates();
  await tests.fresh.store.pool.query("insert into running_limits values ('team:team_small', 2)");
  await tests.working({ scripted: kind }, 10);
  const ids = await queue("small", 4, "team_small", "ann");
  await until("the others are told", async () => {
    const { rows } = await tests.fresh.store.pool.query(
      "select text from log_lines where execution_id = any($1)",
      [ids],
    );
    return rows.length === 2 && rows.every(({ text }) => text.includes("waiting: 2 runs and conversations"));
  });
  // Those that have places are handed out in the statement that says so, and begin when it has come back.
  await until("those that have places begin", () => begun.length >= 2);
  expect(begun).toEqual(["small000", "small001"]);
  end("small000");
  await until("the next begins", () => begun.length === 3);
  expect(begun[2]).toBe("small002");
  await removeAll(ids);
});

test("S-53: one that waits for a place knows how many get one before it, as people and teams take turns", async () => {
  const { db, pool } = tests.fresh.store;
  const ann = await queue("line-ann", 20, "team_line", "ann");
  const bob = await queue("line-bob", 5, "team_line", "bob");
  const far = await queue("line-far", 3, "team_far", "cat");
  const before = (id = "") => placesBefore(db, id);
  // It may be about to be taken.
  await pool.query("update executions set queued_at = now() where id = any ($1)", [[...ann, ...bob, ...far]]);
  expect(await before(ann[10])).toBeNull();
  for (const [at, id] of [...ann, ...bob, ...far].entries())
    await pool.query(
      "update executions set queued_at = now() - interval '1 hour' + make_interval(secs => $2) where id = $1",
      [id, at],
    );
  // Ten of her own, five of the other one in the team, three of the other team.
  expect(await before(ann[10])).toBe(10 + 5 + 3);
  expect(await before(ann[2])).toBe(2 + 2 + 3);
  expect(await before(bob[0])).toBe(0);
  expect(await before(far[2])).toBe(2 + 2);
  await pool.query("update executions set held_at = now() where id = $1", [ann[2]]);
  expect(await before(ann[2])).toBeNull();
  expect(await before("nobody's")).toBeNull();
  await removeAll([...ann, ...bob, ...far]);
  expect(await before(ann[10])).toBeNull();
});

test("S-53: of two teams, that with the fewest in hand gets the next ones, whoever was served last", async () => {
  const many = await queue("many", 5, "team_many", "ann");
  expect(await handOut(3)).toEqual(many.slice(0, 3));
  const few = await queue("few", 3, "team_few", "bob");
  expect(await handOut(2)).toEqual(few.slice(0, 2));
  // Served last, and still with less in hand.
  expect(await handOut(1)).toEqual([few[2]]);
  expect(await handOut(9)).toEqual(many.slice(3));
  await removeAll([...many, ...few]);
});

test("S-53: of two people of a team, the one with the fewest in hand gets the next ones, whoever was served last", async () => {
  const ann = await queue("much-ann", 5, "team_shared", "ann");
  expect(await handOut(3)).toEqual(ann.slice(0, 3));
  const bob = await queue("less-bob", 3, "team_shared", "bob");
  expect(await handOut(2)).toEqual(bob.slice(0, 2));
  expect(await handOut(1)).toEqual([bob[2]]);
  expect(await handOut(9)).toEqual(ann.slice(3));
  await removeAll([...ann, ...bob]);
});

test("what a process has started itself waits as well where its team has as many at work as it may", async () => {
  const { db, pool } = tests.fresh.store;
  await pool.query("insert into running_limits values ('team:team_full', 2)");
  // Of a kind that keeps no place while it waits: only what is at work counts.
  const ids = await queue("full", 3, "team_full", "ann");
  const [first = "", second = "", third = ""] = ids;
  const claimAs = async (id: string) => (await claim(db, id, { ...claimant, placed: [] }))?.state;
  expect(await claimAs(first)).toBe("running");
  expect(await claimAs(second)).toBe("running");
  expect(await claimAs(third)).toBe("queued");
  const { rows } = await pool.query("select text from log_lines where execution_id = $1", [third]);
  expect(rows.map(({ text }) => text)).toEqual(["2 runs and conversations team are one of them"]);
  await removeAll(ids);
});

test("S-235: what a claim reads does not grow with what its person has queued", async () => {
  const { pool } = tests.fresh.store;
  const [fresh] = await queue("many", 1, null, "user_ada");
  const copy =
    "id || n, kind, id || n, depth, subject_id, user_id, input, now() from executions, generate_series(1, 20000) n";
  await pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, input, queued_at) select ${copy} where id = $1`,
    [fresh],
  );
  await pool.query("analyze executions");
  const client = await pool.connect();
  try {
    await client.query("begin");
    const given = [claimant.owner, claimant.kinds, claimant.placed, "10 s", 20, claimant.heldLine, 5, [], []];
    const { rows } = await client.query(
      "explain (analyze, buffers, format json) select * from claim_ready($1, $2, $3, $4, $5, $6, $7, $8, $9, null)",
      given,
    );
    const [{ Plan: read }] = rows[0]["QUERY PLAN"];
    expect(read["Actual Rows"]).toBe(5);
    expect(read["Shared Hit Blocks"] + read["Shared Read Blocks"]).toBeLessThan(2_000);
  } finally {
    await client.query("rollback");
    client.release();
  }
  await pool.query("delete from executions");
});

/** What a start takes of its team in the database until it is there. */
const startsOf = "select pg_advisory_xact_lock(hashtextextended('limit team:' || $1, 0))";
const rowOf = "select from executions where id = $1 for update";

test.each([
  { what: "start", hold: startsOf, held: "team_loud" },
  { what: "step", hold: rowOf, held: "loud step" },
  { what: "end", hold: rowOf, held: "loud end" },
])(
  "S-300: while the $what of one person's waits in the database, another's starts, does its steps and ends",
  async ({ what, hold, held }) => {
    const begun: string[] = [];
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const kind: Kind = {
      hasPlace: true,
      async advance({ id }, journal) {
        begun.push(id);
        if (id.startsWith("loud")) await opened;
        if (what === "step") await journal.record("step", { type: "done", output: 1 });
        return { type: "done", result: null };
      },
    };
    const engine = await tests.working({ scripted: kind });
    const launch = (name: string, team: string) =>
      engine.launch({ ...startOf(`${name} ${what}`, []), teamId: `team_${team}`, userId: name });
    const other = await tests.fresh.store.pool.connect();
    const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
    // However long it takes, it never counts as slow, after which others would go on at any rate.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    if (what !== "start") await launch("loud", "loud");
    await until("it is at work", () => what === "start" || begun.length === 1);
    await other.query("begin");
    await other.query("set local idle_in_transaction_session_timeout = 0");
    await other.query(hold, [held]);
    const launched = what === "start" ? launch("loud", "loud") : null;
    open();
    await until("it waits in the database", async () => {
      const waits = "select from pg_stat_activity where $1::integer = any (pg_blocking_pids(pid))";
      return (await tests.fresh.store.pool.query(waits, [rows[0]?.pid])).rows.length > 0;
    });
    const quiet = launch("quiet", "quiet");
    try {
      const isOver = async () =>
        (await readExecution(tests.fresh.store.db, `quiet ${what}`))?.finishedAt != null;
      await until("the other person's is over", isOver, 20_000);
      expect((await readExecution(tests.fresh.store.db, `loud ${what}`))?.finishedAt ?? null).toBeNull();
    } finally {
      vi.useRealTimers();
      await other.query("rollback").finally(() => other.release(true));
      await Promise.all([quiet, launched]);
    }
    expect(await ended(tests.fresh.store, `loud ${what}`)).toMatchObject({ state: "done" });
  },
);

test.each(["this process", "another one"])(
  "S-320: who has much at work in %s does no more steps there while another's only run goes on",
  async (where) => {
    const begun: string[] = [];
    const told: string[] = [];
    const at = where.replace(" ", "_");
    const [mayGo, quietMayEnd] = [deferred(), deferred()];
    let isAborted = false;
    const step = { type: "done", output: 1 } as const;
    const kind: Kind = {
      hasPlace: true,
      async advance({ id }, journal) {
        begun.push(id);
        journal.signal.addEventListener("abort", () => {
          isAborted = true;
        });
        await mayGo.promise;
        if (id.startsWith("quiet")) {
          // Each has to go to the database and back: what is not held back is recorded meanwhile.
          for (let nth = 0; nth < 20; nth++) await journal.record(`${nth}`, step);
          await quietMayEnd.promise;
        }
        await journal.record("last", step);
        return { type: "done", result: null };
      },
    };
    const engine = await tests.working({ scripted: kind }, 8);
    const other = where === "another one" ? await tests.working({ scripted: kind }, 8) : engine;
    const launch = (on: typeof engine, id: string, team: string) =>
      on.launch({ ...startOf(`${id} ${at}`, []), teamId: `team_${team}`, userId: team });
    let isListening = false;
    const listener = listen(tests.fresh.store.connection, {
      onSignal() {},
      onReady() {},
      onHold: (hold, _, { limitKey }) => void told.push(`${hold} ${limitKey}`),
      onConnect() {
        isListening = true;
      },
    });
    const stepsOf = async (name: string) =>
      (await tests.fresh.store.pool.query("select from steps where execution_id like $1", [`${name}%${at}`]))
        .rows.length;
    try {
      await until("the test hears", () => isListening);
      for (const id of ["loud1", "loud2"]) await launch(engine, id, "loud");
      for (const id of ["far1", "far2", "far3"]) if (other !== engine) await launch(other, id, "loud");
      const all = other === engine ? 2 : 5;
      await until("they are at work", () => begun.length === all);
      // It goes on for as long as the test does.
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      await launch(engine, "quiet", "quiet");
      await until("the other processes are told", () => told.length === 1);
      if (other !== engine) {
        // What is told later is heard later.
        await engine.kill(`far3 ${at}`);
        await until("the other process has heard it", () => isAborted);
      }
      mayGo.resolve();
      await until("the quiet one has done its steps", async () => (await stepsOf("quiet")) === 20);
      expect([await stepsOf("loud"), await stepsOf("far")]).toEqual([0, 0]);
      quietMayEnd.resolve();
      await until("the end is told", () => {
        vi.advanceTimersByTime(1);
        return told.length === 2;
      });
      for (const id of begun.filter((one) => !one.startsWith("far3")))
        expect(await ended(tests.fresh.store, id)).toMatchObject({ state: "done" });
      expect(told).toEqual(["hold team:team_quiet", "resume team:team_quiet"]);
    } finally {
      vi.useRealTimers();
      mayGo.resolve();
      quietMayEnd.resolve();
      await listener.close();
    }
  },
);
