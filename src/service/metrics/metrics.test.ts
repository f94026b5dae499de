import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { freshStore } from "../../testing/database.ts";
import { type DatabaseProxy, databaseProxy } from "../../testing/database-proxy.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import { startMcpServer } from "../../testing/mcp-server.ts";
import { documentedMetrics, figures } from "../../testing/metrics.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

const made = () =>
  createMetrics({ version: "1.2.3", concurrency: 10, filesAt: { type: "folder", path: tmpdir() } });

describe("what a service with people at work counts", () => {
  let app: AgentService;
  const metrics = made();
  const now = async () => figures(await metrics.text());
  beforeAll(async () => {
    app = await startAgentService({ metrics });
  });
  afterAll(() => app.stop());

  it("polls, and those that brought nothing new", async () => {
    const first = await app.call("kim", "GET", "/runs?user_id=user_kim");
    const tag = first.headers.get("etag") ?? "";
    await app.call("kim", "GET", "/runs?user_id=user_kim", undefined, { "if-none-match": tag });
    const { count } = await now();
    expect(count("wheelhouse_http_requests_total", { route: "listRuns", status: "200" })).toBe(1);
    expect(count("wheelhouse_http_requests_total", { route: "listRuns", status: "304" })).toBe(1);
    expect(count("wheelhouse_http_request_seconds_count", { route: "listRuns" })).toBe(2);
  });

  it("a turn: its end, its model with tokens, the file that it wrote", async () => {
    app.model.next(
      {
        type: "tools",
        text: "I write.",
        calls: [{ name: "write_file", args: '{"name":"a.txt","content":"12345"}' }],
      },
      { type: "text", text: "Written." },
    );
    const { body } = await app.start("Write");
    await app.settled(body.interaction_id);
    const { count } = await now();
    expect(count("wheelhouse_executions_ended_total", { kind: "turn", state: "done" })).toBe(1);
    const model = "local/fake";
    expect(count("wheelhouse_model_call_seconds_count", { model, outcome: "ok" })).toBe(2);
    expect(count("wheelhouse_model_tokens_total", { model, direction: "output" })).toBeGreaterThan(0);
    expect(count("wheelhouse_file_written_bytes_total")).toBe(5);
    expect(count("wheelhouse_step_record_seconds_count")).toBeGreaterThan(0);
    const tool = { kind: "turn", step: "write_file", outcome: "done" };
    expect(count("wheelhouse_step_seconds_count", tool)).toBe(1);
  });

  it("a model that fails by how it failed, and a turn that is stopped", async () => {
    const busy = { type: "status", status: 429 } as const;
    app.model.next(busy, { type: "text", text: "Now." });
    await app.settled((await app.start("Try")).body.interaction_id);
    const held = { type: "held", until: new Promise<void>(() => {}), answer: busy } as const;
    app.model.next(held);
    const before = app.model.calls.length;
    const { body } = await app.start("Wait");
    await until("the model is asked", () => app.model.calls.length > before);
    await app.call("kim", "POST", `/interactions/${body.interaction_id}/stop`, {});
    await app.settled(body.interaction_id);
    const model = "local/fake";
    await until(
      "the call that was stopped is counted",
      async () =>
        (await now()).count("wheelhouse_model_call_seconds_count", { model, outcome: "stopped" }) === 1,
    );
    const { count } = await now();
    expect(count("wheelhouse_model_call_seconds_count", { model, outcome: "busy" })).toBe(1);
    expect(count("wheelhouse_executions_ended_total", { kind: "turn", state: "terminated" })).toBe(1);
  });

  it("a run that is killed with the runs below it, and one that ends with its start", async () => {
    const { db } = app.context.store;
    const flow = (id: string, nodes: object[]) => ({
      ...{ id, user_id: "user_kim", team_id: null, name: id, removed_at: null },
      definition: toJson({ nodes }),
    });
    await db
      .insertInto("saved_items")
      .values([
        flow("flow_top", [{ id: "sub", node: { type: "flow", flow: "flow_wait" } }]),
        flow("flow_wait", [{ id: "wait", node: { type: "delay", seconds: 600 } }]),
        flow("flow_quick", [{ id: "end", node: { type: "output", value: "x" } }]),
        flow("flow_fails", [{ id: "ask", node: { type: "http", url: "http://127.0.0.1:1/" } }]),
      ])
      .execute();
    const start = async (flow: string) => {
      const body = { user_id: "user_kim", saved_item_id: flow };
      return (await app.call("kim", "POST", "/start_pipeline", body)).body.run_id;
    };
    const top = await start("flow_top");
    await until("the run below waits", async () => {
      const rows = await db.selectFrom("executions").select("state").where("root_id", "=", top).execute();
      return rows.length === 2 && rows.every(({ state }) => state === "waiting");
    });
    await app.call("kim", "POST", "/kill_pipeline", { run_id: top, user_id: "user_kim" });
    await start("flow_quick");
    await start("flow_fails");
    const kind = "pipeline";
    const endedAs = async (state: string) =>
      (await now()).count("wheelhouse_executions_ended_total", { kind, state });
    await until("the quick one is counted", async () => (await endedAs("done")) === 1);
    await until("the one that fails is counted", async () => (await endedAs("failed")) === 1);
    const { count } = await now();
    const steps = "wheelhouse_step_seconds_count";
    expect(count(steps, { kind, step: "output", outcome: "done" })).toBe(1);
    expect(count(steps, { kind, step: "http", outcome: "failed" })).toBe(1);
    // The run that was killed did not get through its node.
    expect(count(steps, { kind, step: "delay" })).toBe(0);
    expect(count("wheelhouse_executions_ended_total", { kind, state: "terminated" })).toBe(2);
  });

  it("what is taken from a worker that fell silent", async () => {
    const { db } = app.context.store;
    const row = {
      id: "run_silent",
      kind: "pipeline",
      root_id: "run_silent",
      depth: 0,
      subject_id: "flow_none",
    };
    await db
      .insertInto("executions")
      .values({
        ...{
          ...row,
          user_id: "user_kim",
          team_id: null,
          parent_id: null,
          parent_step: null,
          input: toJson({}),
        },
        ...{ state: "running", owner: "somebody who died", lease: new Date(Date.now() - 60_000) },
      })
      .execute();
    await until(
      "it is taken over",
      async () => (await now()).count("wheelhouse_executions_taken_over_total") === 1,
    );
  });

  it("is all described, and nothing else is", async () => {
    expect((await now()).names().filter((name) => name.startsWith("wheelhouse_"))).toEqual(
      documentedMetrics(),
    );
  });

  it("holds no secret and no name of a person, an agent or a run", async () => {
    const text = await metrics.text();
    for (const word of [...Object.values(app.keys), "sk-canary", "user_kim", "agent_", "run_silent"])
      expect(text).not.toContain(word);
  });
});

it("counts calls of tools by the server that has them, a name that no server has among the unknown", async () => {
  const fresh = await freshStore();
  const server = await startMcpServer("secret-of-the-server");
  const headers = { authorization: "Bearer secret-of-the-server" };
  const metrics = made();
  const mcp = metrics.mcp(mcpFor(fresh.store, { board: { url: server.url, headers } }));
  const { signal } = new AbortController();
  const kim = { type: "user", id: "user_kim" } as const;
  await callTool(mcp, "board", kim, { tool: "echo", args: { text: "Ahoy" }, key: "1", signal });
  await callTool(mcp, "board", kim, { tool: "refuse", args: {}, key: "2", signal });
  await expect(callTool(mcp, "other", kim, { tool: "echo", args: {}, key: "3", signal })).rejects.toThrow();
  await Promise.all([mcp.close(), server.close()]);
  await fresh.drop();
  const { count } = figures(await metrics.text());
  const calls = "wheelhouse_mcp_call_seconds_count";
  expect(count(calls, { server: "board", outcome: "ok" })).toBe(1);
  expect(count(calls, { server: "board", outcome: "tool_error" })).toBe(1);
  expect(count(calls, { server: "unknown", outcome: "unknown" })).toBe(1);
});

describe("what the database alone knows", () => {
  let service: TestService;
  let proxy: DatabaseProxy;
  let metrics: Metrics;
  beforeAll(async () => {
    metrics = made();
    service = await startService({
      ...{ work: false, empty: true, metrics },
      through: async (url) => {
        proxy = await databaseProxy(url);
        return proxy.url;
      },
    });
    const running = (team: number) =>
      Array.from({ length: team }, (_, at) => ({
        ...{
          id: `run_${team}_${at}`,
          root_id: `run_${team}_${at}`,
          kind: "pipeline",
          depth: 0,
          subject_id: "f",
        },
        ...{
          user_id: "user_a",
          team_id: `team_${team}`,
          parent_id: null,
          parent_step: null,
          input: toJson({}),
        },
        ...{ state: "running" as const, owner: "another", lease: new Date(Date.now() + 60_000) },
      }));
    const rows = Array.from({ length: 25 }, (_, at) => running(at + 1)).flat();
    await service.context.store.db.insertInto("executions").values(rows).execute();
    const ofPeople = ["user_a", "user_b"].flatMap((user_id) =>
      running(2).map((row) => {
        const id = `${row.id}_of_${user_id}`;
        return { ...row, id, root_id: id, user_id, team_id: null };
      }),
    );
    await service.context.store.db.insertInto("executions").values(ofPeople).execute();
    const ready = (id: string, hours: number) => ({
      ...{ id, root_id: id, kind: "pipeline", depth: 0, subject_id: "f", user_id: "user_b" },
      ...{ team_id: null, parent_id: null, parent_step: null, input: toJson({}) },
      queued_at: new Date(Date.now() - hours * 3_600_000),
    });
    await service.context.store.db
      .insertInto("executions")
      .values([ready("run_ready", 1), ready("run_just_ready", 0.1)])
      .execute();
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  it("is read at each look: the busiest teams each by itself and all others as one", async () => {
    const { count, labels } = figures(await metrics.text());
    expect(count("wheelhouse_executions_running", { team: "team_25" })).toBe(25);
    // Those from 5 down to 1.
    expect(count("wheelhouse_executions_running", { team: "(others)" })).toBe(15);
    expect(labels("wheelhouse_executions_running", "team")).toHaveLength(22);
    // Of all people together.
    expect(count("wheelhouse_executions_running", { team: "" })).toBe(4);
    expect(count("wheelhouse_executions_ready")).toBe(2);
    expect(count("wheelhouse_executions_ready_oldest_seconds")).toBeGreaterThan(3_500);
    expect(count("wheelhouse_database_up")).toBe(1);
  });

  it("is missing where the database says nothing, and the rest is there all the same", async () => {
    proxy.hang();
    const { count, labels } = figures(await metrics.text());
    expect(count("wheelhouse_database_up")).toBe(0);
    expect(count("wheelhouse_executions_ready")).toBeNaN();
    expect(labels("wheelhouse_executions_running", "team")).toEqual([]);
    expect(count("wheelhouse_execution_places")).toBe(10);
    await proxy.mend();
  });
});
