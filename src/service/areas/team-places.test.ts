import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Json = Record<string, unknown>;
const json = async (method: string, path: string, body?: unknown): Promise<Json> =>
  await (await service.call(service.keys.ada, method, path, body)).json();
const poll = (id: unknown) => json("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`);
const team = "user_id=user_ada&project_id=team_harbor";
const states = async () => {
  const { runs } = await json("GET", "/runs?saved_item_id=flow_night&page_size=100");
  return (runs as Json[]).map(({ state }) => state);
};

test("A team has fifty runs at a time; the next one is STARTED, says why, and runs when another has ended", async () => {
  const wait = { id: "wait", node: { type: "delay", seconds: 600 } };
  const flow = { id: "flow_night", user_id: "user_grace", team_id: "team_harbor", name: "Night" };
  await service.context.store.db
    .insertInto("saved_items")
    .values({ ...flow, definition: toJson({ nodes: [wait] }), removed_at: null })
    .execute();
  const ids: unknown[] = [];
  for (let index = 0; index < 52; index++) {
    ids.push((await json("POST", `/start_pipeline?${team}&saved_item_id=flow_night`, {})).run_id);
  }
  const held = async () => {
    const answers = await Promise.all(ids.map((id) => poll(id)));
    return answers.filter(({ state, log }) => state === "STARTED" && (log as string[]).length > 0);
  };
  await until("fifty run and two wait", async () => (await held()).length === 2);
  expect((await states()).toSorted()).toEqual([...Array(50).fill("RUNNING"), "STARTED", "STARTED"]);
  const waiting = (await held()).map(({ run_id, log }) => ({ id: run_id, log: log as string[] }));
  expect(waiting[0]?.log).toEqual([
    expect.stringMatching(/ \[run\] waiting: 50 runs and conversations of this team are already running; /),
  ]);
  const kill = (id: unknown) => json("POST", "/kill_pipeline", { run_id: id, user_id: "user_ada" });
  await kill(ids.find((id) => waiting.every((one) => one.id !== id)));
  await until("the next one runs", async () => (await poll(waiting[0]?.id)).state === "RUNNING");
  expect((await poll(waiting[1]?.id)).state).toBe("STARTED");
  for (const id of ids) await kill(id);
  expect(await states()).toEqual(Array(52).fill("TERMINATED"));
});
