import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { expireTimer, waitsUntil } from "../../testing/waits.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
/** The service's time while it stands still for a test. */
let stopped: Date | null = null;
beforeAll(async () => {
  app = await startAgentService({ concurrency: 1, clock: { now: () => stopped ?? new Date() } });
  await addFlow("flow_greet", [
    { id: "name", node: { type: "input", default: "world" } },
    { id: "pause", node: { type: "delay", seconds: 0.2 } },
    { id: "words", node: { type: "template", text: "Hello, {{ name.value }}!", after: ["pause"] } },
    { id: "greeting", node: { type: "output", value: "{{ words.value }}" } },
  ]);
  await addFlow("flow_needy", [
    { id: "name", node: { type: "input", required: true } },
    { id: "greeting", node: { type: "output", value: "{{ name.value }}" } },
  ]);
  await addFlow("flow_slow", [
    { id: "pause", node: { type: "delay", seconds: 600 } },
    { id: "end", node: { type: "output", value: "x", after: ["pause"] } },
  ]);
  await addFlow("flow_of_blue", [{ id: "end", node: { type: "output", value: "x" } }], "team_blue");
});
afterAll(() => app.stop());

async function addFlow(id: string, nodes: object[], team_id: string | null = null): Promise<void> {
  const user_id = team_id === null ? "user_kim" : "user_lee";
  await app.context.store.db
    .insertInto("saved_items")
    .values({ id, user_id, team_id, name: id, definition: toJson({ nodes }), removed_at: null })
    .execute();
}

async function say(message: string, body: Readonly<Record<string, unknown>> = {}) {
  const started = await app.start(message, body);
  expect(started.status).toBe(202);
  return app.settled(started.body.interaction_id);
}

const offline = (message: string, more = {}) => say(message, { gummie_id: "agent_offline", ...more });
const tools = (...calls: [name: string, args: unknown][]) => {
  const list = calls.map(([name, args]) => ({
    name,
    args: typeof args === "string" ? args : JSON.stringify(args),
  }));
  return { type: "tools", calls: list } as const;
};

interface Part {
  type: string;
  toolName?: string;
  toolCallState?: string;
  result?: { args: unknown; result: unknown };
  file?: { filename: string; artifact_url: string };
}
const partsOf = (status: { messages: { parts: Part[] }[] }): Part[] => status.messages.at(-1)?.parts ?? [];
const configure = (id: string, metadata: object) => {
  return app.call("kim", "PATCH", `/agents/${id}`, { metadata }, { "x-auth-key": "user_kim" });
};

const turnOf = (interactionId: string) =>
  app.context.store.db
    .selectFrom("executions")
    .select(["id as execution_id", "started_at"])
    .where("subject_id", "=", interactionId)
    .executeTakeFirstOrThrow();

describe("a turn with tools", () => {
  it("writes a file that the conversation shows, the list has, and a signed link opens", async () => {
    const status = await offline('/write_file {"content":"# Tide\\n","name":"notes.md"}');
    expect(status.response).toMatch(/^Write a file: done\. /);
    const parts = partsOf(status);
    expect(parts.map(({ type }) => type)).toEqual(["tool_invocation", "file", "text"]);
    expect(parts[0]).toMatchObject({
      toolName: "write_file",
      toolCallState: "completed",
      result: { args: { name: "notes.md" }, result: { name: "notes.md", size: 7, version: 1 } },
    });
    // As the model sent them.
    expect(Object.keys(parts[0]?.result?.args ?? {})).toEqual(["content", "name"]);
    const file = await fetch(parts[1]?.file?.artifact_url ?? "");
    expect([file.status, await file.text()]).toEqual([200, "# Tide\n"]);
    const list = await app.call(
      "kim",
      "GET",
      `/agents/agent_offline/artifacts?session_id=${status.interaction_id}`,
    );
    expect(list.body).toMatchObject({
      artifacts: [
        {
          filename: "notes.md",
          major_version: 1,
          agent_id: "agent_offline",
          session_id: status.interaction_id,
          metadata: { media_type: "text/markdown", size: 7 },
          creator: { id: "user_kim" },
        },
      ],
      next_cursor: null,
    });
  });

  it.each([
    ["report.pdf", "Dear Ada, all is well.", "text/plain; charset=utf-8"],
    ["table.xlsx", "a,b", "text/plain; charset=utf-8"],
    ["photo.PNG", "a drawing in words", "text/plain; charset=utf-8"],
    ["real.pdf", "%PDF-1.4 and so on", "application/pdf"],
    ["Rates.CSV", "a,b", "text/csv; charset=utf-8"],
    ["flow.yml", "nodes: []", "application/yaml"],
    ["constructor", "words", "text/plain; charset=utf-8"],
  ])(
    "C-10: serves the words in %s as what they are, not as what they are called",
    async (name, content, type) => {
      const status = await offline(`/write_file ${JSON.stringify({ name, content })}`);
      const parts = partsOf(status);
      const said = parts[0]?.result?.result;
      const file = await fetch(parts[1]?.file?.artifact_url ?? "");
      expect([file.headers.get("content-type"), await file.text()]).toEqual([type, content]);
      expect(said).toMatchObject({ media_type: type.split(";")[0] });
    },
  );

  it("makes a new version of a name that is there, and reads the newest back", async () => {
    const write = (text: string) => `/write_file {"name":"a.txt","content":"${text}"}`;
    const status = await offline(
      `${write("one")}\n${write("two")}\n/read_file {"name":"a.txt"}\n/read_file {"name":"b.txt"}`,
    );
    const results = partsOf(status).filter(({ type }) => type === "tool_invocation");
    expect(results.map(({ toolCallState }) => toolCallState)).toEqual([
      "completed",
      "completed",
      "completed",
      "failed",
    ]);
    expect(results[2]?.result?.result).toBe("two");
    const { body } = await app.call(
      "kim",
      "GET",
      `/agents/agent_offline/artifacts?session_id=${status.interaction_id}`,
    );
    expect(body.artifacts).toHaveLength(1);
    expect(body.artifacts[0].major_version).toBe(2);
  });

  it.each(["../../etc/passwd", "a/b", "", "..", "a\\\\b"])(
    "S-32: refuses %j as a file name",
    async (name) => {
      const status = await offline(`/write_file {"name":"${name}","content":"x"}`);
      expect(partsOf(status)[0]).toMatchObject({ toolCallState: "failed" });
    },
  );

  it("runs a flow and waits for its end without holding the only worker", async () => {
    const runs = await Promise.all(
      ["Ada", "Kim", "Lee"].map((name) =>
        offline(`/run_flow {"saved_item_id":"flow_greet","inputs":{"name":"${name}"}}`),
      ),
    );
    expect(runs.map((status) => partsOf(status)[0]?.result?.result)).toMatchObject([
      { outputs: { greeting: "Hello, Ada!" } },
      { outputs: { greeting: "Hello, Kim!" } },
      { outputs: { greeting: "Hello, Lee!" } },
    ]);
  });

  it("tells the agent why a flow failed, and goes on", async () => {
    const status = await offline(
      '/run_flow {"saved_item_id":"flow_needy"}\n/write_file {"name":"z.txt","content":"z"}',
    );
    expect(status.state).toBe("COMPLETED");
    const [run, write] = partsOf(status);
    expect(run).toMatchObject({
      toolCallState: "failed",
      result: { result: expect.stringContaining("name") },
    });
    expect(write).toMatchObject({ toolCallState: "completed" });
  });

  it("S-22: runs no flow that the person may not run", async () => {
    const status = await offline('/run_flow {"saved_item_id":"flow_of_blue"}');
    expect(partsOf(status)[0]?.result?.result).toBe(
      "There is no workflow flow_of_blue that this agent may run.",
    );
  });

  it("S-40: reads no address of this machine", async () => {
    const before = app.model.calls.length;
    const status = await offline(`/http_get {"url":"${app.model.url}/models"}`);
    expect(partsOf(status)[0]).toMatchObject({ toolCallState: "failed" });
    expect(app.model.calls).toHaveLength(before);
  });

  it("S-47: runs no tool that the agent was not given, whatever the model asks for", async () => {
    const set = { tools: [{ type: "write_file" }] };
    await app.call("kim", "PATCH", "/agents/agent_kim", set, { "x-auth-key": "user_kim" });
    app.model.next(tools(["http_get", { url: "https://example.com" }]), { type: "text", text: "Then not." });
    const status = await say("Look it up");
    expect(partsOf(status)[0]?.result?.result).toBe("There is no tool http_get.");
    expect(app.model.calls.at(-2)?.tools).toEqual(["write_file"]);
    expect(status.response).toBe("Then not.");
  });

  it("answers arguments that are no JSON, or not those of the tool, and lets the model try again", async () => {
    app.model.next(
      tools(["write_file", '{"name":'], ["write_file", { name: "a" }]),
      tools(["write_file", { name: "a", content: "b" }]),
      { type: "text", text: "There." },
    );
    const status = await say("Write");
    const results = partsOf(status).filter(({ type }) => type === "tool_invocation");
    expect(results.map(({ toolCallState }) => toolCallState)).toEqual(["failed", "failed", "completed"]);
    expect(results[1]?.result?.result).toMatch(/^content: /);
  });

  it("shows what has happened so far while it works", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.next(tools(["write_file", { name: "early.txt", content: "e" }]), {
      type: "held",
      until: held,
      answer: { type: "text", text: "Late." },
    });
    const { body } = await app.start("Both");
    const session = async () =>
      (await app.call("kim", "GET", `/sessions/${body.interaction_id}`)).body.session;
    await expect
      .poll(async () => (await session()).messages.at(-1)?.parts.map(({ type }: Part) => type), {
        timeout: 60_000,
      })
      .toEqual(["tool_invocation", "file"]);
    expect(await session()).toMatchObject({
      state: "processing",
      messages: [{ role: "user" }, { content: null }],
    });
    // The tag changes every ten minutes, with the signed links.
    stopped = new Date();
    const fresh = await app.call("kim", "GET", `/sessions/${body.interaction_id}`);
    const again = await app.call("kim", "GET", `/sessions/${body.interaction_id}`, undefined, {
      "if-none-match": fresh.headers.get("etag") ?? "",
    });
    stopped = null;
    expect(again.status).toBe(304);
    release();
    await app.settled(body.interaction_id);
    expect(await session()).toMatchObject({
      state: "completed",
      usage: { input_tokens: 14, output_tokens: 6 },
    });
  });
});

describe("limits of a turn", () => {
  it("S-54: an agent that never comes to an end fails at max_steps, with a sentence", async () => {
    await configure("agent_kim", { preferences: { max_steps: 4 } });
    app.model.otherwise(() => tools(["write_file", { name: "again.txt", content: "x" }]));
    const before = app.model.calls.length;
    const status = await say("Loop");
    app.model.otherwise(() => ({ type: "text", text: "Good." }));
    expect(status).toMatchObject({
      state: "FAILED",
      error_message: "The agent did not finish within its limit of 4 steps.",
    });
    expect(app.model.calls.length - before).toBe(4);
  });

  it("fails at timeout_s while the model says nothing", async () => {
    await configure("agent_kim", { preferences: { timeout_s: 1, max_steps: 25 } });
    // Nothing is queued: a turn whose second is over before it asks must not leave its silence to the next one.
    app.model.otherwise(() => ({ type: "silence" }));
    const status = await say("Anybody there?");
    app.model.otherwise(() => ({ type: "text", text: "Good." }));
    expect(status).toMatchObject({
      state: "FAILED",
      error_message: "The turn took longer than its limit of 1 seconds.",
    });
    await configure("agent_kim", { preferences: { timeout_s: null } });
  });

  it("S-09: has all its time though the time of this process is a day ahead of the database's", async () => {
    stopped = new Date(Date.now() + 24 * 3_600_000);
    const status = await say("Is it tomorrow?");
    stopped = null;
    expect(status).toMatchObject({ state: "COMPLETED" });
  });

  it("fails at timeout_s while it waits for a flow, which ends with it", async () => {
    await configure("agent_offline", { preferences: { timeout_s: 600 } });
    const { body } = await app.start('/run_flow {"saved_item_id":"flow_slow"}', {
      gummie_id: "agent_offline",
    });
    await configure("agent_offline", { preferences: { timeout_s: null } });
    const { execution_id } = await turnOf(body.interaction_id);
    const deadline = await waitsUntil(app.context.store, execution_id, "deadline");
    const { started_at } = await turnOf(body.interaction_id);
    // What is left is added to the database's time: to the minute, as asking took a moment.
    expect(Math.round((deadline.getTime() - (started_at?.getTime() ?? 0)) / 60_000)).toBe(10);
    const { db } = app.context.store;
    const started = sql<Date>`started_at - interval '10 minutes'`;
    await db.updateTable("executions").set({ started_at: started }).where("id", "=", execution_id).execute();
    await expireTimer(app.context.store, execution_id, "deadline");
    const status = await app.settled(body.interaction_id);
    expect(status).toMatchObject({
      state: "FAILED",
      error_message: "The turn took longer than its limit of 600 seconds.",
    });
    expect(partsOf(status)[0]).toMatchObject({ toolCallState: "failed" });
    const run = await app.context.store.db
      .selectFrom("executions")
      .select("state")
      .where("subject_id", "=", "flow_slow")
      .executeTakeFirst();
    expect(run?.state).toBe("terminated");
  });

  it("ends FAILED when it is killed, and can be continued", async () => {
    const { body } = await app.start('/run_flow {"saved_item_id":"flow_slow"}', {
      gummie_id: "agent_offline",
    });
    const { execution_id } = await turnOf(body.interaction_id);
    expect(await app.context.engine.kill(execution_id)).toMatchObject({ killed: true });
    expect(await app.settled(body.interaction_id)).toMatchObject({
      state: "FAILED",
      error_message: "The turn was stopped.",
    });
    expect((await offline("Still there?", { interaction_id: body.interaction_id })).state).toBe("COMPLETED");
  });

  it("caps what a tool may say", async () => {
    const content = "x".repeat(100_000);
    const status = await offline(
      `/write_file {"name":"big.txt","content":"${content}"}\n/read_file {"name":"big.txt"}`,
    );
    const result = partsOf(status).find(({ toolName }) => toolName === "read_file")?.result?.result;
    expect(result).toMatch(/… cut: 100000 characters in all$/);
    expect(String(result).length).toBeLessThan(65_000);
  });
});
