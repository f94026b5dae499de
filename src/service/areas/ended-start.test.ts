import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
  const nodes = [
    { id: "name", node: { type: "input" } },
    { id: "words", node: { type: "template", text: "Mooring lines of {{ name.value }}" } },
    { id: "out", node: { type: "output", value: "{{ words.value }}" } },
  ];
  const flow = { id: "flow_words", user_id: "user_grace", team_id: "team_harbor", name: "Words" };
  await service.context.store.db
    .insertInto("saved_items")
    .values({ ...flow, definition: toJson({ nodes }), removed_at: null })
    .execute();
});
afterAll(() => service.stop());

type Json = Record<string, unknown>;
const call = (method: string, path: string, body?: unknown, headers?: HeadersInit) =>
  service.call(service.keys.ada, method, path, body, headers);
async function json(answer: Promise<Response>): Promise<Json> {
  return (await answer).json();
}
async function start(): Promise<string> {
  const query = "user_id=user_ada&project_id=team_harbor&saved_item_id=flow_words";
  return String((await json(call("POST", `/start_pipeline?${query}`, { name: "Ada" }))).run_id);
}
const poll = (id: string, headers?: HeadersInit) =>
  call("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`, undefined, headers);

/** Without what differs from run to run. */
function same({ run_id, url, created_ts, finished_ts, log, ...rest }: Json): Json {
  const lines = log as string[];
  return { ...rest, log: lines.map((line) => line.slice(line.indexOf(" ")).replace(/\d+ ms$/, "ms")) };
}

test("a run that needs nothing from outside has ended for whoever asks right after the answer, and is like one that ended later", async () => {
  const later = await start();
  await until("its end", async () => (await json(poll(later))).finished_ts !== null);
  let [id, etag, run]: [string, string, Json] = ["", "", {}];
  // A machine that stands still has a worker take it up in the ordinary way: the next start has another chance.
  await until("a run that has ended with the answer to its start", async () => {
    id = await start();
    const answer = await poll(id);
    etag = answer.headers.get("etag") ?? "";
    run = await answer.json();
    return run.state === "DONE";
  });
  expect(run).toMatchObject({ state: "DONE", outputs: { out: "Mooring lines of Ada" }, files: [] });
  expect(same(run)).toEqual(same(await json(poll(later))));
  const lines = run.log as string[];
  const dates = [run.created_ts, ...lines.map((line) => line.slice(0, 24)), run.finished_ts].map((time) =>
    Date.parse(String(time)),
  );
  expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  expect((await poll(id, { "if-none-match": etag })).status).toBe(304);
  const { runs } = await json(call("GET", "/runs?saved_item_id=flow_words&page_size=100"));
  const listed = (runs as Json[]).filter((row) => row.run_id === id || row.run_id === later);
  expect(listed.map((row) => [row.run_id, row.state])).toEqual([
    [id, "DONE"],
    [later, "DONE"],
  ]);
  // The index of the search has both a moment later.
  await until("the search finds both", async () => {
    const { hits } = await json(call("GET", "/search?q=mooring%20lines%20of"));
    const found = JSON.stringify(hits);
    return found.includes(id) && found.includes(later);
  });
});
