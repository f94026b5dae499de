import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readLog } from "../../testing/executions.ts";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { until } from "../../testing/until.ts";
import { comeDue, expireTimer, waitsUntil } from "../../testing/waits.ts";
import type { Requester } from "../limiter.ts";

/** A thread that is busy for as long as a test says. */
let release = () => {};
let isBusy = false;
const code = {
  run: async (_: string, __: unknown, { requester }: { requester: Requester }) => {
    isBusy = true;
    await new Promise<void>((resolve) => {
      release = resolve;
      requester.signal?.addEventListener("abort", () => resolve());
    });
    isBusy = false;
    return 1;
  },
  close: async () => {},
};

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness({ code });
  const flow = (id: string, nodes: string) =>
    harness.add(`id: ${id}\nname: T\nowner: user_ada\nnodes:\n${nodes}`);
  await flow("flow_quick", "  out: { type: output, value: done }\n");
  await flow("flow_hour", "  wait: { type: delay, seconds: 3600 }\n");
  await flow(
    "flow_later",
    "  wait: { type: delay, seconds: 300 }\n  more: { type: delay, seconds: 300, after: [wait] }\n  out: { type: output, value: later, after: [more] }\n",
  );
});
afterAll(() => harness.stop());
afterEach(async () => {
  release();
  await query("delete from running_limits");
});

const query = (text: string, values: readonly unknown[] = []) => harness.store.pool.query(text, [...values]);
const oneAtOnce = () => query("insert into running_limits (limit_key, running) values ('user:user_ada', 1)");

/** Starts a run that is at work itself and has started another. @returns both ids */
async function startWith(flow: string, seconds: number) {
  await harness.add(`id: flow_test
name: Test
owner: user_ada
nodes:
  busy: { type: code, source: "return 1" }
  sub: { type: flow, flow: ${flow}, timeout_s: ${seconds} }
  out: { type: output, value: "{{ sub.value.out }}" }
`);
  const id = await harness.start("flow_test");
  const child = async () =>
    (await harness.store.pool.query<{ id: string }>("select id from executions where parent_id = $1", [id]))
      .rows[0]?.id;
  await until("both are there", async () => isBusy && (await child()) !== undefined);
  return { id, child: (await child()) ?? "" };
}

const isHeld = async (id: string) =>
  (await readLog(harness.store.db, id)).some((line) => line.includes("already running"));

/** Until the limit has come and was put off, or the run has ended by it. */
async function untilLooked(id: string, before: Date): Promise<void> {
  await until("the limit to come", async () => {
    const { rows } = await query(
      `select date_trunc('milliseconds', wake_at) > $2 or executions.finished_at is not null as is_over
         from steps join executions on executions.id = execution_id where execution_id = $1 and key = 'sub/limit'`,
      [id, before],
    );
    return rows[0]?.is_over === true;
  });
}
const limitOf = async (id: string): Promise<Date> =>
  (await query("select wake_at from steps where execution_id = $1 and key = 'sub/limit'", [id])).rows[0]
    ?.wake_at;

describe("The limit of what a node has started", () => {
  it("S-243: does not begin before that is at work", async () => {
    await oneAtOnce();
    const { id, child } = await startWith("flow_quick", 1);
    const limit = await limitOf(id);
    await until("it waits for its team", () => isHeld(child));
    await untilLooked(id, limit);
    release();
    expect((await harness.end(id)).outputs).toEqual({ out: "done" });
  });

  it("S-243: ends what has waited and then takes too long itself", async () => {
    await oneAtOnce();
    const { id, child } = await startWith("flow_hour", 1);
    await until("it waits for its team", () => isHeld(child));
    await untilLooked(id, await limitOf(id));
    release();
    expect((await harness.end(id)).execution).toMatchObject({
      state: "failed",
      error: 'The node "sub" failed: it took longer than 1 s.',
    });
    expect((await query("select state from executions where id = $1", [child])).rows).toEqual([
      { state: "terminated" },
    ]);
  });

  it("S-243: leaves out what that waits for a worker later", async () => {
    const { id, child } = await startWith("flow_later", 600);
    await waitsUntil(harness.store, child, "wait/tick1");
    await oneAtOnce();
    await expireTimer(harness.store, child, "wait/tick1");
    await until("it waits for its team", () => isHeld(child));
    // An hour goes by.
    await query(
      `update executions set started_at = started_at - interval '1 hour', queued_at = queued_at - interval '1 hour'
        where id = $1 and state = 'queued'`,
      [child],
    );
    await untilLooked(id, await comeDue(harness.store, id, "sub/limit"));
    release();
    await waitsUntil(harness.store, child, "more/tick1");
    await untilLooked(id, await comeDue(harness.store, id, "sub/limit"));
    await expireTimer(harness.store, child, "more/tick1");
    expect((await harness.end(id)).outputs).toEqual({ out: "later" });
  });
});
