import { expect, test } from "vitest";
import { startAgentService } from "../testing/agents.ts";
import { until } from "../testing/until.ts";
import { createRecurring } from "./recurring.ts";

const hour = 3_600_000;
const never = () => expect.unreachable();

test("what is under way hears of the stop, and the stop waits for its end", async () => {
  const heard: string[] = [];
  let begin = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const recurring = createRecurring(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          // It takes a while to end.
          setImmediate(() => {
            heard.push("ended");
            resolve();
          });
        });
        begin();
      }),
    hour,
    never,
  );
  recurring.start();
  await hasBegun;
  await recurring.stop();
  expect(heard).toEqual(["ended"]);
});

test("a time that fails is told, and the next one comes all the same", async () => {
  const failures: unknown[] = [];
  let times = 0;
  let end = () => {};
  const isTwice = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    times += 1;
    if (times === 1) throw new Error("the database is away");
    end();
  };
  const recurring = createRecurring(work, 1, (error) => failures.push(error));
  recurring.start();
  await isTwice;
  await recurring.stop();
  expect(failures).toEqual([new Error("the database is away")]);
});

test("nothing begins after a stop", async () => {
  const recurring = createRecurring(async () => never(), hour, never);
  await recurring.stop();
  recurring.start();
  await recurring.stop();
});

test("what is asked for between two times is done at once, but not twice at a time and not after a stop", async () => {
  let times = 0;
  const turns: (() => void)[] = [];
  const work = () =>
    new Promise<void>((resolve) => {
      times += 1;
      turns.push(resolve);
    });
  const recurring = createRecurring(work, hour, never);
  recurring.start();
  recurring.now();
  expect(times).toBe(1);
  turns[0]?.();
  await until("the first time is over", async () => {
    recurring.now();
    return times === 2;
  });
  turns[1]?.();
  await recurring.stop();
  recurring.now();
  expect(times).toBe(2);
});

test("the next time does not begin before the last one has ended, and none is left over at a stop", async () => {
  let atWork = 0;
  let most = 0;
  let times = 0;
  let isThird = () => {};
  const third = new Promise<void>((resolve) => {
    isThird = resolve;
  });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const work = async () => {
    most = Math.max(most, ++atWork);
    times += 1;
    // Longer than the time between two.
    const until = performance.now() + 5;
    while (performance.now() < until) await turn();
    atWork -= 1;
    if (times === 3) isThird();
  };
  const recurring = createRecurring(work, 1, never);
  recurring.start();
  await third;
  await recurring.stop();
  expect([most, times]).toEqual([1, 3]);
});

test("a service at work erases what was deleted a day ago by itself, and nothing younger", async () => {
  const app = await startAgentService({ work: false });
  const { db, pool } = app.context.store;
  const talk = { agent_id: "agent_kim", user_id: "user_kim", team_id: null, type: "api", error: null };
  const source = { source_type: "notion", scope: "personal", status: "active", team_id: null } as const;
  for (const [name, hours] of [
    ["old", 25],
    ["young", 23],
  ] as const) {
    await db
      .insertInto("interactions")
      .values({ ...talk, id: name, execution_id: name, name, state: "completed" })
      .execute();
    await db
      .insertInto("knowledge_sources")
      .values({ ...source, id: name, name, created_by_user_id: "user_kim" })
      .execute();
    for (const table of ["interactions", "knowledge_sources"]) {
      const at = `update ${table} set deleted_at = now() - make_interval(hours => $2) where id = $1`;
      await pool.query(at, [name, hours]);
    }
  }
  await app.service.work();
  const left = async () => {
    const { rows } = await pool.query<{ name: string }>(
      "select name from interactions union all select name from knowledge_sources",
    );
    return rows.map(({ name }) => name).sort();
  };
  await until("both are erased", async () => !(await left()).includes("old"));
  expect(await left()).toEqual(["", "", "young", "young"]);
  await app.stop();
});
