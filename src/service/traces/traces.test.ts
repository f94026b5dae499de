import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluating, verdict } from "../../testing/evaluating.ts";
import type { ReceivedSpan } from "../../testing/trace-collector.ts";
import { startTracedService, type TracedService } from "../../testing/traces.ts";
import { until } from "../../testing/until.ts";
import { itemKey, modelKey, nodeKey, spanIdOf, toolKey, traceIdOf, wholeKey } from "./span-keys.ts";

let traced: TracedService;
const lines: string[] = [];
beforeAll(async () => {
  traced = await startTracedService({}, { logTo: (line) => lines.push(line) });
});
afterAll(() => traced.stop());

const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
const named = (spans: readonly ReceivedSpan[], name: string) => {
  const found = spans.filter((span) => span.name === name);
  expect(found.map(({ name: one }) => one)).toEqual([name]);
  return found[0] as ReceivedSpan;
};

describe("a run", () => {
  it("is a trace with its nodes, which go on with the caller's and are handed on", async () => {
    const { addFlow, web, asked, mcp, run, collector } = traced;
    await addFlow("flow_out", [
      { id: "words", node: { type: "template", text: "private words" } },
      {
        id: "ask",
        node: {
          type: "http",
          url: `${web}/ask?key=canary-in-url`,
          headers: { "x-word": "{{ words.value }}" },
        },
      },
      {
        id: "call",
        node: {
          type: "mcp_tool",
          server: "near",
          tool: "echo",
          arguments: { text: "hello" },
          after: ["ask"],
        },
      },
      { id: "all", node: { type: "output", value: "{{ call.value }}" } },
    ]);
    const id = await run("flow_out", { traceparent, tracestate: "vendor=1" });
    const spans = await collector.trace(caller.traceId, 5);
    const whole = named(spans, "invoke_workflow Flow flow_out");
    expect(whole).toMatchObject({
      ...{ spanId: spanIdOf(id, wholeKey), parentSpanId: caller.spanId, traceState: "vendor=1", kind: 2 },
      attributes: { "wheelhouse.run.id": id, "wheelhouse.flow.id": "flow_out", "wheelhouse.state": "done" },
      status: { code: 0 },
    });
    const nodes = ["words", "ask", "call", "all"].map((node) => named(spans, `node ${node}`));
    for (const node of nodes) {
      expect(node.parentSpanId).toBe(whole.spanId);
      expect(node.start).toBeGreaterThanOrEqual(whole.start - 5);
      expect(node.end).toBeGreaterThanOrEqual(node.start);
      expect(node.attributes["wheelhouse.node.state"]).toBe("done");
    }
    expect(nodes.map(({ attributes }) => attributes["wheelhouse.node.type"])).toEqual([
      ...["template", "http", "mcp_tool", "output"],
    ]);
    const request = lines.map((line) => JSON.parse(line)).find(({ route }) => route === "startPipeline");
    expect(request).toMatchObject({ trace_id: caller.traceId, status: 200 });
    // What was sent along names the span that came of it.
    const handedOn = (key: string) => `00-${caller.traceId}-${spanIdOf(id, key)}-01`;
    expect(asked.get("/ask?key=canary-in-url")).toMatchObject({
      ...{ traceparent: handedOn(nodeKey("ask")), tracestate: "vendor=1" },
    });
    expect(mcp.calls.at(-1)?.traceparent).toBe(handedOn(nodeKey("call")));
    expect(JSON.stringify(spans)).not.toMatch(/canary|private words|hello/);
  });

  it("has a trace of its own where nobody named one, with the runs below it and why it failed", async () => {
    const { addFlow, web, statuses, run, collector } = traced;
    statuses.set("/broken", 500);
    const retries = { times: 1, delay_s: 0.01 };
    await addFlow("flow_below", [{ id: "bad", node: { type: "http", url: `${web}/broken`, retries } }]);
    await addFlow("flow_above", [{ id: "sub", node: { type: "flow", flow: "flow_below" } }]);
    const id = await run("flow_above");
    const spans = await collector.trace(traceIdOf(id), 4);
    const sub = named(spans, "node sub");
    const below = named(spans, "invoke_workflow Flow flow_below");
    const bad = named(spans, "node bad");
    expect(below).toMatchObject({ parentSpanId: sub.spanId, kind: 1, status: { code: 2 } });
    expect(bad).toMatchObject({ parentSpanId: below.spanId, status: { code: 2 } });
    expect(bad.attributes).toMatchObject({ "error.type": "node_failed", "wheelhouse.node.type": "http" });
    expect(bad.events.map(({ name, attributes }) => [name, attributes["wheelhouse.wait.kind"]])).toEqual([
      ["wheelhouse.wait", "retry"],
    ]);
    // What went wrong may hold anything: its words are contents.
    expect(bad.status.message).toBeUndefined();
  });

  it("has the items of an each below its node, by which what they do outside and start is named", async () => {
    const { addFlow, web, asked, statuses, run, collector } = traced;
    await addFlow("flow_item", [{ id: "text", node: { type: "template", text: "x" } }]);
    await addFlow("flow_items", [
      {
        id: "ask",
        node: {
          ...{ type: "each", items: ["a", "b", "c"], concurrency: 1 },
          do: { type: "http", url: `${web}/{{ item }}` },
        },
      },
      {
        id: "sub",
        node: { type: "each", items: [1], do: { type: "flow", flow: "flow_item" }, after: ["ask"] },
      },
    ]);
    const id = await run("flow_items");
    const spans = await collector.trace(traceIdOf(id), 9);
    const node = named(spans, "node ask");
    const items = [0, 1, 2].map((index) => named(spans, `item ${index} of ask`));
    for (const [index, item] of items.entries()) {
      expect(item).toMatchObject({ spanId: spanIdOf(id, itemKey("ask", index)), parentSpanId: node.spanId });
      expect(item.attributes).toEqual({
        ...{ "wheelhouse.node.id": "ask", "wheelhouse.item.index": index, "wheelhouse.node.state": "done" },
      });
      expect(asked.get(`/${"abc"[index]}`)?.traceparent).toContain(item.spanId);
    }
    // One at a time: each begins where the one before it ended.
    expect(items.slice(1).map(({ start }) => start)).toEqual(items.slice(0, -1).map(({ end }) => end));
    expect(items[0]?.start).toBe(node.start);
    const below = named(spans, "invoke_workflow Flow flow_item");
    expect(below.parentSpanId).toBe(named(spans, "item 0 of sub").spanId);

    statuses.set("/b", 500);
    const failing = await run("flow_items");
    const failed = named(await collector.trace(traceIdOf(failing), 4), "item 1 of ask");
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { "wheelhouse.node.state": "failed" } });
    expect(failed.status.message).toBeUndefined();
  });

  it("S-230: keeps what a flow says of the trace itself", async () => {
    const { addFlow, web, asked, run } = traced;
    const own = "00-11111111111111111111111111111111-2222222222222222-00";
    await addFlow("flow_own", [
      { id: "ask", node: { type: "http", url: `${web}/own`, headers: { Traceparent: own } } },
    ]);
    await run("flow_own", { traceparent, tracestate: "vendor=1" });
    expect(asked.get("/own")?.traceparent).toBe(own);
    expect(asked.get("/own")?.tracestate).toBeUndefined();
  });

  it("is not traced where its caller keeps nothing, which is handed on", async () => {
    const { addFlow, web, asked, run, collector, app } = traced;
    await addFlow("flow_quiet", [{ id: "ask", node: { type: "http", url: `${web}/quiet` } }]);
    const traceId = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const quiet = await run("flow_quiet", { traceparent: `00-${traceId}-00f067aa0ba902b7-00` });
    expect(asked.get("/quiet")?.traceparent).toBe(`00-${traceId}-${spanIdOf(quiet, nodeKey("ask"))}-00`);
    await collector.trace(traceIdOf(await run("flow_quiet")), 2);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    const left = () => app.context.store.db.selectFrom("traces").select("root_id").execute();
    await until("nothing is left to be told", async () => (await left()).length === 0);
  });
});

describe("a turn", () => {
  it("is invoke_agent with chat and execute_tool, by the conventions' names", async () => {
    const { app, collector } = traced;
    app.model.next(
      { type: "status", status: 429 },
      {
        type: "tools",
        text: "I write secret prose.",
        calls: [{ name: "write_file", args: '{"name":"a.txt","content":"secret prose"}' }],
      },
      { type: "text", text: "Written, in secret prose." },
    );
    const started = Date.now();
    const { body } = await app.call(
      "kim",
      "POST",
      "/start_agent",
      { gummie_id: "agent_kim", message: "Write secret prose", user_id: "user_kim" },
      { traceparent: `00-${"b".repeat(32)}-00f067aa0ba902b7-01` },
    );
    await app.settled(body.interaction_id);
    const spans = await collector.trace("b".repeat(32), 5);
    const whole = named(spans, "invoke_agent Agent agent_kim");
    expect(whole.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": "agent_kim",
      "gen_ai.agent.name": "Agent agent_kim",
      "gen_ai.conversation.id": body.interaction_id,
      "gen_ai.request.model": "fake",
      "gen_ai.provider.name": "local",
    });
    const turnId = String(whole.attributes["wheelhouse.turn.id"]);
    const chats = spans.filter(({ name }) => name === "chat fake");
    expect(chats.map(({ spanId }) => spanId).sort()).toEqual(
      [modelKey(1, 1), modelKey(1, 2), modelKey(2, 1)].map((key) => spanIdOf(turnId, key)).sort(),
    );
    const [failed, asks, last] = [...chats].sort(
      (one, other) => one.start - other.start || one.end - other.end,
    );
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "busy" } });
    expect(asks?.attributes).toMatchObject({
      ...{ "gen_ai.operation.name": "chat", "gen_ai.response.finish_reasons": ["tool_calls"] },
    });
    expect(last?.attributes["gen_ai.response.finish_reasons"]).toEqual(["stop"]);
    for (const chat of [asks, last]) {
      expect(chat?.attributes["gen_ai.usage.input_tokens"]).toBeGreaterThan(0);
      expect(chat?.attributes["gen_ai.usage.output_tokens"]).toBeGreaterThan(0);
      expect(chat?.kind).toBe(3);
    }
    const tool = named(spans, "execute_tool write_file");
    expect(tool).toMatchObject({
      ...{ spanId: spanIdOf(turnId, toolKey(1, 0)), parentSpanId: whole.spanId, kind: 1 },
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "write_file" },
    });
    expect(tool.attributes["gen_ai.tool.call.id"]).toBeTypeOf("string");
    // One after the other, and all of them within the turn.
    expect(whole.start).toBeGreaterThanOrEqual(started - 1_000);
    const inOrder = [failed, asks, tool, last].flatMap((span) => [span?.start ?? 0, span?.end ?? 0]);
    expect(inOrder).toEqual([...inOrder].sort((one, other) => one - other));
    expect(inOrder.at(-1)).toBeLessThanOrEqual(whole.end);
    // The model was told which span its call is.
    const told = app.model.calls.slice(-3).map((call) => call.traceparent);
    expect(told).toEqual(
      [modelKey(1, 1), modelKey(1, 2), modelKey(2, 1)].map(
        (key) => `00-${"b".repeat(32)}-${spanIdOf(turnId, key)}-01`,
      ),
    );
    expect(JSON.stringify(spans)).not.toMatch(/secret prose|sk-canary/);
  });
});

describe("the reading of a knowledge source", () => {
  it("is a trace of its own, with the source and no word of its files", async () => {
    const { app, collector } = traced;
    const call = (path: string, body: object) => app.call("kim", "POST", `/brain/sources${path}`, body);
    const { source } = (await call("", { name: "Rules", require_approval: false })).body;
    const file_content = Buffer.from("secret prose").toString("base64");
    await call(`/${source.id}/files`, { files: [{ file_name: "secret.md", file_content }] });
    const { id } = await app.context.store.db
      .selectFrom("executions")
      .select("id")
      .where("subject_id", "=", source.id)
      .executeTakeFirstOrThrow();
    const spans = await collector.trace(traceIdOf(id), 1);
    expect(named(spans, "knowledge")).toMatchObject({
      ...{ spanId: spanIdOf(id, wholeKey), status: { code: 0 } },
      attributes: { "wheelhouse.source.id": source.id, "wheelhouse.state": "done" },
    });
    expect(JSON.stringify(spans)).not.toContain("secret");
  });
});

describe("an evaluation", () => {
  it("is evaluate in a trace of its own, with the calls of its model", async () => {
    const { app, collector } = traced;
    const { configure, talk, evaluated } = evaluating(() => app);
    await configure({
      criteria: [
        { id: "kind", name: "Kind", prompt: "Kind?", type: "voice_tone", priority: "needs_attention" },
      ],
    });
    const judged = verdict({ criteria: [{ id: "kind", result: "success", rationale: "Secret reason." }] });
    const session = await talk("Secret words.", { judge: [{ type: "text", text: "no verdict" }, judged] });
    const [result] = await evaluated(session);
    const id = String(result?.evaluation_id);
    const spans = await collector.trace(traceIdOf(id), 3);
    const whole = named(spans, "evaluate");
    expect(whole).toMatchObject({
      ...{ spanId: spanIdOf(id, wholeKey), kind: 1, status: { code: 0 } },
      attributes: {
        ...{ "gen_ai.conversation.id": session, "gen_ai.request.model": "fake", "wheelhouse.state": "done" },
        "wheelhouse.evaluation.id": id,
      },
    });
    expect(whole.parentSpanId ?? "").toBe("");
    const chats = spans.filter(({ name }) => name === "chat fake");
    expect(chats.map(({ spanId }) => spanId).sort()).toEqual(
      [modelKey(1, 1), modelKey(2, 1)].map((key) => spanIdOf(id, key)).sort(),
    );
    for (const chat of chats) expect(chat.parentSpanId).toBe(whole.spanId);
    expect(JSON.stringify(spans)).not.toMatch(/[Ss]ecret|no verdict/);
    await configure({ enabled: false });
  });
});
