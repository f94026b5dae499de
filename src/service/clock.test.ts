import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type AgentService, startAgentService } from "../testing/agents.ts";
import { brokenInvariants, ended } from "../testing/engine.ts";
import { readLog, readSteps } from "../testing/executions.ts";
import { until } from "../testing/until.ts";
import { createSignInToken } from "./credentials/sign-in.ts";
import { toJson } from "./store/json.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** The clock of this machine, and with it of the service; the database's stays right. */
const machine = {
  set: (offMs: number) => vi.setSystemTime(performance.timeOrigin + performance.now() + offMs),
};

let app: AgentService;
const nodes = [
  { id: "first", node: { type: "delay", seconds: 0.3 } },
  { id: "second", node: { type: "delay", seconds: 1, log_every: 1, after: ["first"] } },
  { id: "end", node: { type: "output", value: "x", after: ["second"] } },
];

async function open(offMs: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true });
  machine.set(offMs);
  app = await startAgentService({ concurrency: 2 });
  await app.context.store.db
    .insertInto("saved_items")
    .values({
      id: "flow_two",
      user_id: "user_kim",
      name: "Two",
      definition: toJson({ nodes }),
      removed_at: null,
    })
    .execute();
}

async function databaseNow(): Promise<number> {
  const { rows } = await app.context.store.pool.query<{ now: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
  );
  return rows[0]?.now ?? Number.NaN;
}

async function startRun(): Promise<string> {
  const path = "/start_pipeline?user_id=user_kim&saved_item_id=flow_two";
  const { status, body } = await app.call("kim", "POST", path, {});
  expect(status).toBe(200);
  return body.run_id;
}

/** All of a run lies between these two moments of the database, and no line before the one above it. */
async function expectDated(id: string, from: number): Promise<void> {
  const to = await databaseNow();
  const lines = await readLog(app.context.store.db, id);
  const dates = lines.map((line) => Date.parse(line.slice(0, 24)));
  expect(dates).toEqual([...dates].sort((a, b) => a - b));
  for (const date of dates) {
    expect(date).toBeGreaterThanOrEqual(Math.floor(from) - 1_000);
    expect(date).toBeLessThanOrEqual(to + 1_000);
  }
}

async function turn(message: string) {
  const { status, body } = await app.start(message);
  expect(status).toBe(202);
  return await app.settled(body.interaction_id);
}

const skews = [
  ["an hour ahead of", hour],
  ["an hour behind", -hour],
  ["a day ahead of", day],
  ["a day behind", -day],
] as const;

describe.each(skews)("S-09: with a machine whose clock is %s the database's", (_, off) => {
  beforeAll(() => open(off));
  afterEach(async () => expect(await brokenInvariants(app.context.store)).toEqual([]));
  afterAll(async () => {
    await app.stop();
    vi.useRealTimers();
  });

  test("a run with waits goes on, and each of its lines has the database's time", async () => {
    const from = await databaseNow();
    const id = await startRun();
    expect(await ended(app.context.store, id, 30_000)).toMatchObject({ state: "done" });
    await expectDated(id, from);
  });

  test("a run goes on where the machine's clock jumps while it waits", async () => {
    const from = await databaseNow();
    const id = await startRun();
    await until("it waits", async () => (await readSteps(app.context.store.db, id)).length > 1);
    machine.set(-off);
    const other = await startRun();
    for (const run of [id, other]) {
      expect(await ended(app.context.store, run, 30_000)).toMatchObject({ state: "done" });
      await expectDated(run, from);
    }
    machine.set(off);
  });

  test("turns end with their answers, also after a model that failed at first", async () => {
    app.model.next({ type: "text", text: "Yes." });
    expect(await turn("Is it late?")).toMatchObject({ state: "COMPLETED", response: "Yes." });
    app.model.next({ type: "status", status: 503 }, { type: "text", text: "Again." });
    expect(await turn("And now?")).toMatchObject({ state: "COMPLETED", response: "Again." });
  });

  test("a sign-in link and the token that it gives are good for as long as they say", async () => {
    const from = await databaseNow();
    const link = await createSignInToken(app.context.store, "user_kim");
    const { status, body } = await app.call(null, "POST", "/console/sessions", { token: link });
    expect([status, body]).toEqual([200, body]);
    const left = Date.parse(body.expires_at) - from;
    expect(Math.round(left / hour)).toBe(8);
  });
});
