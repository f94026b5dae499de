import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await addFlow("flow_echo", [
    input("Name", { name: "Name" }),
    input("trace", { name: "x-trace" }),
    ...["authorization", "cookie", "x-auth-key", "proxy-authorization", "connection", "__proto__"].map(
      (name, index) => input(`secret${index}`, { name }),
    ),
    { id: "all", node: { type: "output", value: ["{{ Name.value }}", "{{ trace.value }}"] } },
    {
      id: "secrets",
      node: { type: "output", value: Array.from({ length: 6 }, (_, index) => `{{ secret${index}.value }}`) },
    },
  ]);
  await addFlow("flow_slow", [{ id: "wait", node: { type: "delay", seconds: 600, log_every: 1 } }]);
  await addFlow("flow_tree", [{ id: "sub", node: { type: "flow", flow: "flow_tree_2" } }]);
  await addFlow("flow_tree_2", [{ id: "sub", node: { type: "flow", flow: "flow_slow" } }]);
  await addFlow("flow_own", [{ id: "a", node: { type: "output", value: "x" } }], {
    user: "user_ada",
    team: null,
  });
});
afterAll(() => service.stop());

function input(id: string, more = {}) {
  return { id, node: { type: "input", ...more } };
}
async function addFlow(
  id: string,
  nodes: object[],
  { user = "user_grace", team = "team_harbor" as string | null } = {},
) {
  const row = {
    id,
    user_id: user,
    team_id: team,
    name: `Flow ${id}`,
    definition: toJson({ nodes }),
    removed_at: null,
  };
  await service.context.store.db.insertInto("saved_items").values(row).execute();
}

type Json = Record<string, unknown>;
const ada = () => service.keys.ada;
async function json(answer: Promise<Response>): Promise<{ status: number; body: Json; headers: Headers }> {
  const { status, headers, ...response } = await answer.then(async (got) => ({
    status: got.status,
    headers: got.headers,
    text: await got.text(),
  }));
  return { status, headers, body: response.text === "" ? {} : JSON.parse(response.text) };
}
const start = (query: string, body: unknown = {}, headers: HeadersInit = {}, key: string = ada()) =>
  json(service.call(key, "POST", `/start_pipeline?${query}`, body, headers));
const poll = (id: unknown, key: string = ada(), owner = "user_id=user_ada", headers: HeadersInit = {}) =>
  json(service.call(key, "GET", `/get_pl_run?run_id=${id}&${owner}`, undefined, headers));
async function ended(id: unknown): Promise<Json> {
  let body: Json = {};
  await until(`the end of ${id}`, async () => {
    body = (await poll(id)).body;
    return body.finished_ts !== null;
  });
  return body;
}

describe("Starting a pipeline", () => {
  test("answers the run, and the run answers what the interface says of it", async () => {
    const { status, body } = await start("user_id=user_ada&saved_item_id=flow_hello", { name: "Ada" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ saved_item_id: "flow_hello", workbook_id: null });
    expect(body.url).toBe(`${service.url}/runs/${body.run_id}`);
    const last = await ended(body.run_id);
    expect(last).toMatchObject({ state: "DONE", outputs: { greeting: "Hello, Ada!" }, files: [] });
    expect(last.created_ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    const slow = (await start("user_id=user_ada&saved_item_id=flow_slow")).body.run_id;
    const first = (await poll(slow)).body;
    expect(["STARTED", "RUNNING"]).toContain(first.state);
    expect(first).toMatchObject({ run_id: slow, user_id: "user_ada", finished_ts: null, outputs: {} });
    await service.call(ada(), "POST", "/kill_pipeline", { run_id: slow, user_id: "user_ada" });
  });

  test("takes everything from the body, as public clients send it", async () => {
    const body = {
      user_id: "user_ada",
      saved_item_id: "flow_echo",
      pipeline_inputs: [{ input_name: "Name", value: "listed" }],
    };
    const started = await start("", body);
    expect((await ended(started.body.run_id)).outputs).toMatchObject({ all: ["listed", ""] });
  });

  test("needs no body, and takes nothing but an object as one", async () => {
    const query = "user_id=user_ada&saved_item_id=flow_webhook";
    const none = await json(service.call(ada(), "POST", `/start_pipeline?${query}`));
    expect(none.status).toBe(200);
    expect((await ended(none.body.run_id)).outputs).toEqual({ body: "" });
    for (const body of ["[]", "null", '"x"', "{", "7"]) {
      expect(await start(query, body)).toMatchObject({ status: 400, body: { error: "invalid_body" } });
    }
  });

  test("leaves a body alone that has owner fields of its own when the query names the owner", async () => {
    const payload = { user_id: "user_of_another_system", project_id: 4711, saved_item_id: "x" };
    const { status, body } = await start("user_id=user_ada&saved_item_id=flow_webhook", payload);
    expect(status).toBe(200);
    expect((await ended(body.run_id)).outputs).toEqual({ body: JSON.stringify(payload) });
  });

  test("S-43 gives headers to inputs of their names, but never credentials and hop-by-hop headers", async () => {
    const headers = { "X-Trace": "t-1", cookie: "c=1", "x-auth-key": "user_ada", "proxy-authorization": "p" };
    const { body } = await start("user_id=user_ada&saved_item_id=flow_echo", {}, headers);
    const { outputs, log } = await ended(body.run_id);
    expect(outputs).toEqual({ all: ["", "t-1"], secrets: ["", "", "", "", "", ""] });
    expect(JSON.stringify(log)).not.toContain(ada());
  });

  test("gives no input what a browser or a proxy sets by itself, and a body field of that name all the same", async () => {
    const automatic = {
      origin: service.url,
      "accept-language": "de-DE",
      "user-agent": "Mozilla/5.0",
      referer: "https://console.example/runs/new",
      priority: "u=1, i",
      "sec-fetch-mode": "cors",
      "x-forwarded-for": "192.0.2.7",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "content-language": "de",
    };
    const names = ["host", ...Object.keys(automatic)];
    const nodes = names.map((name, index) => input(`in${index}`, { name, default: "the default" }));
    const value = names.map((_, index) => `{{ in${index}.value }}`);
    await addFlow("flow_headers", [...nodes, { id: "all", node: { type: "output", value } }]);
    const query = "user_id=user_ada&saved_item_id=flow_headers";
    const { body } = await start(query, { priority: "high" }, automatic);
    const expected = names.map((name) => (name === "priority" ? "high" : "the default"));
    expect((await ended(body.run_id)).outputs).toEqual({ all: expected });
  });

  test("keeps the order of inputs, and of what is in them, as they were sent", async () => {
    const names = ["zeta", "b", "a-long-name", "a"];
    await addFlow("flow_order", [
      ...["a", "b", "a-long-name", "zeta", "x-last"].map((name, index) => input(`in${index}`, { name })),
      { id: "all", node: { type: "output", value: { second: "{{ in3.value }}", all: 1, b: 2 } } },
    ]);
    const sent = Object.fromEntries(names.map((name) => [name, { zeta: 1, b: 2, aa: 3 }]));
    const { body } = await start("user_id=user_ada&saved_item_id=flow_order", sent, { "x-last": "header" });
    const last = await ended(body.run_id);
    expect(Object.keys((last.outputs as { all: object }).all)).toEqual(["second", "all", "b"]);
    const one = (await json(service.call(ada(), "GET", `/runs/${body.run_id}`))).body;
    expect(JSON.stringify(one.inputs)).toBe(JSON.stringify({ ...sent, "x-last": "header" }));
    const list = (await json(service.call(ada(), "GET", "/runs?saved_item_id=flow_order"))).body;
    expect(JSON.stringify(list.runs)).toContain(JSON.stringify({ ...sent, "x-last": "header" }));
  });

  test("tells of each input whether it is required, and what it is where nothing is given", async () => {
    await addFlow("flow_asks", [
      input("who", { required: true }),
      input("currency", { default: "EUR" }),
      input("limits", { default: { zeta: 1, b: 2 } }),
      input("note"),
    ]);
    const query = "user_id=user_ada&saved_item_id=flow_asks";
    const { body } = await json(service.call(ada(), "GET", `/get_inputs?${query}`));
    const plain = { data_type: "string", description: null, required: false };
    expect(body.inputs).toEqual([
      { ...plain, name: "who", required: true },
      { ...plain, name: "currency", default: "EUR" },
      { ...plain, name: "limits", default: { zeta: 1, b: 2 } },
      { ...plain, name: "note" },
    ]);
  });

  test.each([
    ["user_id=user_ada", 400, "invalid_parameter"],
    ["saved_item_id=flow_hello", 400, "project_id or user_id is required"],
    ["user_id=user_grace&saved_item_id=flow_hello", 403, "forbidden"],
    ["user_id=user_ada&project_id=team_annex&saved_item_id=flow_hello", 403, "forbidden"],
    ["user_id=user_ada&saved_item_id=flow_nothing", 404, "not_found"],
  ])("refuses ?%s with %d", async (query, status, error) => {
    expect(await start(query)).toMatchObject({ status, body: { error } });
  });

  test("is not there for people who may not use the flow", async () => {
    const { status } = await start("user_id=user_grace&saved_item_id=flow_own", {}, {}, service.keys.grace);
    expect(status).toBe(404);
    expect((await start("user_id=user_ada&saved_item_id=flow_own", {}, {}, service.keys.harbor)).status).toBe(
      200,
    );
  });

  test("S-10 starts once for one Idempotency-Key, also at the same time, and twice without", async () => {
    const key = { "idempotency-key": randomUUID() };
    const query = "user_id=user_ada&saved_item_id=flow_hello";
    const same = await Promise.all(Array.from({ length: 10 }, () => start(query, { name: "A" }, key)));
    expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(same.every(({ status }) => status === 200)).toBe(true);
    expect(await start(query, { name: "B" }, key)).toMatchObject({
      status: 422,
      body: { error: "idempotency_key_reused" },
    });
    const others = await Promise.all([start(query, { name: "A" }), start(query, { name: "A" })]);
    expect(new Set(others.map(({ body }) => body.run_id)).size).toBe(2);
    const grace = await start(
      "user_id=user_grace&saved_item_id=flow_hello",
      { name: "B" },
      key,
      service.keys.grace,
    );
    expect(grace.status).toBe(200);
  });
});

describe("A run", () => {
  test("that brought nothing new answers 304 to its ETag, and 200 after a change", async () => {
    const { body } = await start("user_id=user_ada&saved_item_id=flow_slow");
    await until("the first tick", async () => ((await poll(body.run_id)).body.log as string[]).length > 1);
    const seen = await poll(body.run_id);
    const etag = seen.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"/);
    const since = { "if-none-match": etag };
    const again = await poll(body.run_id, ada(), "user_id=user_ada", since);
    if (again.status === 304) expect(again.body).toEqual({});
    await until(
      "a change",
      async () => (await poll(body.run_id, ada(), "user_id=user_ada", since)).status === 200,
    );
    await service.call(ada(), "POST", "/kill_pipeline", { run_id: body.run_id, user_id: "user_ada" });
    const last = (await poll(body.run_id)).headers.get("etag") ?? "";
    const quiet = await poll(body.run_id, ada(), "user_id=user_ada", { "if-none-match": `"x", ${last}` });
    expect(quiet.status).toBe(304);
  });

  test("of one person is not there for another; of a team it is there for every member", async () => {
    const own = (await start("user_id=user_ada&saved_item_id=flow_hello")).body.run_id;
    const teams = (await start("user_id=user_ada&project_id=team_harbor&saved_item_id=flow_hello")).body
      .run_id;
    const grace = (id: unknown) => poll(id, service.keys.grace, "user_id=user_grace");
    expect(await grace(own)).toMatchObject({ status: 404, body: { error: "not_found" } });
    expect(await grace("run_nothing")).toMatchObject({ status: 404, body: (await grace(own)).body });
    expect((await grace(teams)).status).toBe(200);
    expect((await poll(teams, service.keys.harbor, "project_id=team_harbor")).status).toBe(200);
    expect((await poll(own, service.keys.harbor, "user_id=user_ada")).status).toBe(404);
    expect(await poll(own, ada(), "x=1")).toMatchObject({ status: 400 });
    const kill = (id: unknown) =>
      json(service.call(service.keys.grace, "POST", "/kill_pipeline", { run_id: id, user_id: "user_grace" }));
    expect((await kill(own)).status).toBe(404);
    expect((await ended(own)).state).toBe("DONE");
  });

  test("and its sub-runs at every depth end TERMINATED when it is killed, once", async () => {
    const { body } = await start("user_id=user_ada&saved_item_id=flow_tree");
    const details = async (id: unknown) => (await json(service.call(ada(), "GET", `/runs/${id}`))).body;
    const subOf = async (id: unknown) => ((await details(id)).sub_runs as Json[])[0];
    let deepest: Json | undefined;
    await until("the deepest run", async () => {
      const middle = await subOf(body.run_id);
      deepest = middle && (await subOf(middle.run_id));
      return deepest !== undefined;
    });
    const kill = () =>
      json(service.call(ada(), "POST", "/kill_pipeline", { run_id: body.run_id, user_id: "user_ada" }));
    expect(await kill()).toMatchObject({ status: 200, body: { success: true, run_id: body.run_id } });
    const top = await poll(body.run_id);
    expect(top.body).toMatchObject({ state: "TERMINATED", outputs: {} });
    expect(await details(deepest?.run_id)).toMatchObject({
      state: "TERMINATED",
      parent: { saved_item_id: "flow_tree_2" },
    });
    expect(await subOf(body.run_id)).toMatchObject({
      node: "sub",
      state: "TERMINATED",
      saved_item_name: "Flow flow_tree_2",
    });
    expect(await kill()).toMatchObject({ status: 200, body: { success: false } });
    expect((await poll(body.run_id)).body.finished_ts).toBe(top.body.finished_ts);
  });

  test("S-12 that is killed while it ends has one end, and keeps it", async () => {
    const ends = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { body } = await start("user_id=user_ada&saved_item_id=flow_webhook");
        // Not a wait for something: kills of every distance from the start, before and after the end.
        await new Promise((resolve) => setTimeout(resolve, index));
        const killed = await json(
          service.call(ada(), "POST", "/kill_pipeline", { run_id: body.run_id, user_id: "user_ada" }),
        );
        const { body: after } = await poll(body.run_id);
        expect(after.state).toBe(killed.body.success === true ? "TERMINATED" : "DONE");
        return [body.run_id, after.state, after.finished_ts];
      }),
    );
    for (const [id, state, finished] of ends) {
      expect((await poll(id)).body).toMatchObject({ state, finished_ts: finished });
    }
  });
});

describe("The lists", () => {
  test("say by name who started a run, to those who see it", async () => {
    const query = "user_id=user_grace&project_id=team_harbor&saved_item_id=flow_echo";
    const { run_id } = (await start(query, { Name: "of Grace" }, {}, service.keys.grace)).body;
    const told = { run_id, creator: { id: "user_grace", first_name: "Grace" } };
    const listed = (await json(service.call(ada(), "GET", "/runs?saved_item_id=flow_echo"))).body;
    expect((listed.runs as Json[]).find((run) => run.run_id === run_id)).toMatchObject(told);
    expect((await json(service.call(ada(), "GET", `/runs/${run_id}`))).body).toMatchObject(told);
  });

  test("of runs show what the caller may see, newest first, in pages, by state, flow, time and text", async () => {
    const list = async (query: string, key: string = ada()) =>
      (await json(service.call(key, "GET", `/runs?${query}`))).body as {
        runs: Json[];
        next_cursor: string | null;
      };
    const marker = `Märker 100%_${randomUUID()}`;
    const ids: unknown[] = [];
    for (let index = 0; index < 5; index++) {
      const { body } = await start("user_id=user_ada&saved_item_id=flow_hello", {
        name: `${marker} ${"x".repeat(400)}`,
      });
      ids.unshift(body.run_id);
    }
    const search = `search=${encodeURIComponent(marker.toUpperCase())}`;
    const whole = await list(search);
    expect(whole.runs.map(({ run_id }) => run_id)).toEqual(ids);
    expect(whole.runs[0]).toMatchObject({
      saved_item_id: "flow_hello",
      saved_item_name: "Say hello",
      project_id: null,
    });
    expect(JSON.stringify(whole.runs[0]?.inputs).length).toBeLessThan(250);
    expect((await list(search, service.keys.grace)).runs).toEqual([]);
    expect((await list(`search=${encodeURIComponent("100__")}`)).runs).toEqual([]);

    const first = await list(`${search}&page_size=2`);
    const second = await list(`${search}&page_size=2&cursor=${first.next_cursor}`);
    const third = await list(`${search}&page_size=2&cursor=${second.next_cursor}`);
    expect([...first.runs, ...second.runs, ...third.runs].map(({ run_id }) => run_id)).toEqual(ids);
    expect(third.next_cursor).toBeNull();

    await Promise.all(ids.map(ended));
    expect((await list(`${search}&state=DONE,FAILED`)).runs).toHaveLength(5);
    expect((await list(`${search}&state=STARTED,RUNNING`)).runs).toHaveLength(0);
    expect((await list(`${search}&saved_item_id=flow_echo`)).runs).toHaveLength(0);
    const third_ts = encodeURIComponent(String(whole.runs[2]?.created_ts));
    expect((await list(`${search}&created_after=${third_ts}`)).runs).toHaveLength(3);
    expect((await list(`${search}&created_before=${third_ts}`)).runs).toHaveLength(2);
    for (const [query, error] of [
      ["page_size=0", "invalid_page_size"],
      ["cursor=zzz", "invalid_cursor"],
      ["created_after=yesterday", "invalid_parameter"],
    ]) {
      const answer = await json(service.call(ada(), "GET", `/runs?${query}`));
      expect(answer).toMatchObject({ status: 400, body: { error: { code: error } } });
    }
    expect((await json(service.call(ada(), "GET", "/runs?team_id=team_annex"))).status).toBe(403);
  });

  test("of saved items and inputs are in the flow's own order", async () => {
    const idsOf = async (key: string, query: string) => {
      const { body } = await json(service.call(key, "GET", `/list_saved_items${query}`));
      return (body.saved_items as Json[]).map(({ saved_item_id }) => saved_item_id);
    };
    const ids = await idsOf(ada(), "?user_id=user_ada");
    expect(ids).toContain("flow_hello");
    expect(ids).toContain("flow_own");
    expect(await idsOf(service.keys.grace, "")).not.toContain("flow_own");
    expect(await idsOf(ada(), "?project_id=team_harbor")).not.toContain("flow_own");
    const inputsOf = async (id: string) =>
      (await json(service.call(ada(), "GET", `/get_inputs?saved_item_id=${id}`))).body;
    const inputs = await inputsOf("flow_echo");
    expect((inputs.inputs as Json[]).slice(0, 2)).toEqual([
      { name: "Name", data_type: "string", description: null, required: false },
      { name: "x-trace", data_type: "string", description: null, required: false },
    ]);
    expect([inputs.webhook, (await inputsOf("flow_webhook")).webhook]).toEqual([false, true]);
    expect(
      (await json(service.call(service.keys.grace, "GET", "/get_inputs?saved_item_id=flow_own"))).status,
    ).toBe(404);
  });

  test("of a saved item's newest runs hold ten at most", async () => {
    for (let index = 0; index < 12; index++) await start("user_id=user_ada&saved_item_id=flow_own");
    const { body } = await json(
      service.call(ada(), "GET", "/get_plrun_saved_item_map?saved_item_id=flow_own"),
    );
    expect(body.flow_own).toHaveLength(10);
    expect((await json(service.call(ada(), "GET", "/get_plrun_saved_item_map"))).status).toBe(400);
  });
});
