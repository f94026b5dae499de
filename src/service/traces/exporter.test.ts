import { tmpdir } from "node:os";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { figures } from "../../testing/metrics.ts";
import { startTracedService, type TracedService } from "../../testing/traces.ts";
import { until } from "../../testing/until.ts";
import { requeue } from "../engine/claim.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createTraceExporter } from "./exporter.ts";
import { spanIdOf, traceIdOf, wholeKey } from "./span-keys.ts";

const metrics = createMetrics({
  ...{ version: "1.2.3", concurrency: 10, filesAt: { type: "folder", path: tmpdir() } },
});
const counted = async (name: string, labels = {}) => figures(await metrics.text()).count(name, labels);

let traced: TracedService;
const variables = {
  OTEL_EXPORTER_OTLP_TIMEOUT: "200",
  OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20key-of-the-collector",
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
};
const lines: string[] = [];
beforeAll(async () => {
  traced = await startTracedService(variables, { metrics, logTo: (line) => lines.push(line) });
  await traced.addFlow("flow_one", [{ id: "all", node: { type: "output", value: "x" } }]);
});
afterAll(() => traced.stop());
beforeEach(() => {
  lines.length = 0;
});

const pending = () => traced.app.context.store.db.selectFrom("traces").selectAll().execute();
const idsOf = (traceId: string) =>
  traced.collector.spans.filter((span) => span.traceId === traceId).map(({ spanId }) => spanId);
/** An exporter as another process has one. */
const another = () =>
  createTraceExporter({
    ...{ db: traced.app.context.store.db, log: pino({ level: "silent" }), version: "1.2.3" },
    fetch: globalThis.fetch,
    settings: traced.collector.settings(variables),
  });

describe("a collector", () => {
  it("S-225: that is busy or says nothing costs no run anything, and gets all of it later, once", async () => {
    const { collector, run } = traced;
    collector.next({ status: 503, headers: { "retry-after": "0" } }, "hang");
    const ids = [await run("flow_one"), await run("flow_one"), await run("flow_one")];
    for (const id of ids) await collector.trace(traceIdOf(id), 2);
    await until("no trace is left", async () => (await pending()).length === 0);
    for (const id of ids) expect(idsOf(traceIdOf(id))).toHaveLength(2);
    expect(lines.filter((line) => line.includes("takes nothing"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("takes spans again"))).toHaveLength(1);
  });

  it("that is told to wait by Retry-After is left alone for as long", async () => {
    const { collector, run } = traced;
    collector.next({ status: 429, headers: { "retry-after": "2" } });
    const before = collector.requests.length;
    const id = await run("flow_one");
    await until("it was asked", () => collector.requests.length > before);
    const begun = performance.now();
    await collector.trace(traceIdOf(id), 2);
    expect(performance.now() - begun).toBeGreaterThan(1_500);
  });

  it("S-295: whose clock is a day ahead, and says by a date when to come again, is asked then", async () => {
    const { collector, run } = traced;
    const tomorrow = new Date(Date.now() + 86_400_000).toUTCString();
    collector.next({ status: 503, headers: { date: tomorrow, "retry-after": tomorrow } });
    const id = await run("flow_one");
    await collector.trace(traceIdOf(id), 2);
    await until("no trace is left", async () => (await pending()).length === 0);
  });

  it("S-09: gets what was left when the database's clock was turned back an hour", async () => {
    const { collector, run, app } = traced;
    collector.always({ status: 503 });
    const id = await run("flow_one");
    // As a process claimed it that was killed, or gave it back for a while, by the time of before.
    await sql`update traces set claimed_until = clock_timestamp() + interval '1 hour'
               where root_id = ${id}`.execute(app.context.store.db);
    collector.always(null);
    await collector.trace(traceIdOf(id), 2);
    await until("no trace is left", async () => (await pending()).length === 0);
  });

  it("S-226: that refuses spans for ever, or some of them, is not asked again, and that is counted", async () => {
    const { collector, run } = traced;
    const rejected = () => counted("wheelhouse_trace_spans_total", { outcome: "rejected" });
    collector.next({ status: 400, body: "canary of the collector" });
    const id = await run("flow_one");
    await until("it is given up", async () => (await rejected()) === 2 && (await pending()).length === 0);
    const partial = { partialSuccess: { rejectedSpans: "1", errorMessage: "too old" } };
    collector.next({ status: 200, body: JSON.stringify(partial) });
    const next = await run("flow_one");
    await collector.trace(traceIdOf(next), 2);
    await until("one more is counted", async () => (await rejected()) === 3);
    expect(idsOf(traceIdOf(id))).toEqual([]);
    expect(lines.filter((line) => line.includes("refused spans")).join("")).toMatch(/400.*too old/s);
    expect(lines.join("")).not.toContain("canary");
    expect(await counted("wheelhouse_trace_spans_total", { outcome: "exported" })).toBeGreaterThan(5);
  });

  it("S-225: that takes nothing for a day lets what is older be dropped, which is counted", async () => {
    const { collector, run, app } = traced;
    collector.always({ status: 503 });
    const id = await run("flow_one");
    await app.context.store.db
      .updateTable("executions")
      .set({ finished_at: new Date(Date.now() - 25 * 3_600_000) })
      .where("id", "=", id)
      .execute();
    await until("it is dropped", async () => (await counted("wheelhouse_traces_dropped_total")) === 1);
    expect((await pending()).filter(({ root_id }) => root_id === id)).toEqual([]);
    collector.always(null);
  });
});

it("a collector that may take a minute for each request gets also what is many spans", async () => {
  const patient = await startTracedService({ OTEL_EXPORTER_OTLP_TIMEOUT: "60000" });
  try {
    const nodes = Array.from({ length: 500 }, (_, at) => ({
      id: `n${at}`,
      node: { type: "template", text: "x" },
    }));
    await patient.addFlow("flow_many", nodes);
    await patient.collector.trace(traceIdOf(await patient.run("flow_many")), 501);
  } finally {
    await patient.stop();
  }
});

it("a trace that takes longer than all that is claimed at once goes out whole, and holds up no other", async () => {
  const slow = await startTracedService({ OTEL_BSP_SCHEDULE_DELAY: "600000" });
  const { app, collector } = slow;
  const now = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
  const exporter = createTraceExporter({
    ...{ db: app.context.store.db, log: pino({ level: "silent" }), version: "1.2.3" },
    settings: collector.settings(),
    async fetch(...request) {
      passed += 50_000;
      return await fetch(...request);
    },
  });
  try {
    const nodes = Array.from({ length: 500 }, (_, at) => ({
      id: `n${at}`,
      node: { type: "template", text: "x" },
    }));
    await slow.addFlow("flow_inner", nodes);
    await slow.addFlow("flow_outer", [
      ...nodes.slice(1),
      { id: "in", node: { type: "flow", flow: "flow_inner" } },
    ]);
    await slow.addFlow("flow_small", [{ id: "all", node: { type: "output", value: "x" } }]);
    const [large, small] = [await slow.run("flow_outer"), await slow.run("flow_small")];
    exporter.start();
    const left = () => app.context.store.db.selectFrom("traces").select("root_id").execute();
    // By its own timer: the clock that others look at jumps here.
    await expect.poll(async () => (await left()).length, { timeout: 20_000 }).toBe(0);
    const sent = collector.spans.filter(({ traceId }) => traceId === traceIdOf(large));
    expect([sent.length, new Set(sent.map(({ spanId }) => spanId)).size]).toEqual([1_002, 1_002]);
    expect(collector.spans.filter(({ traceId }) => traceId === traceIdOf(small))).toHaveLength(2);
  } finally {
    vi.restoreAllMocks();
    await exporter.stop();
    await slow.stop();
  }
});

describe("several processes", () => {
  it("S-227: export each trace once between them", async () => {
    const { collector, run } = traced;
    const others = [another(), another()];
    for (const other of others) other.start();
    const ids = await Promise.all(Array.from({ length: 30 }, () => run("flow_one")));
    await until("no trace is left", async () => (await pending()).length === 0);
    await Promise.all(others.map((other) => other.stop()));
    for (const id of ids) {
      expect(idsOf(traceIdOf(id)).sort()).toEqual([spanIdOf(id, wholeKey), spanIdOf(id, "node all")].sort());
    }
    expect(collector.requests.at(-1)?.headers["content-encoding"]).toBe("gzip");
  });

  it("S-227: send the same spans again where one died after the collector took them, before that was noted", async () => {
    const { app, collector, run } = traced;
    const { db } = app.context.store;
    const id = await run("flow_one");
    const traceId = traceIdOf(id);
    const first = await collector.trace(traceId, 2);
    await until("it is noted", async () => (await pending()).length === 0);
    // As it was left by whoever died, once its claim is over.
    const row = { root_id: id, trace_id: traceId, parent_span_id: null, trace_state: null };
    await db
      .insertInto("traces")
      .values({ ...row, is_sampled: true, claimed_until: new Date(0) })
      .execute();
    const both = await collector.trace(traceId, 4);
    expect(both.slice(2)).toEqual(first);
    expect(new Set(idsOf(traceId)).size).toBe(2);
  });

  // For a minute, and for as long as whoever waits ten minutes for the collector.
  const claims = [60_000, 1_200_000];
  it.each(claims)(
    "S-233: leave a trace to whoever has claimed it, also where it was theirs before",
    async (ms) => {
      const { app, collector, run } = traced;
      const asked = collector.requests.length;
      collector.always({ status: 503 });
      collector.next("hang");
      const id = await run("flow_one");
      await until("it is on its way", () => collector.requests.length > asked);
      const claim = app.context.store.db.updateTable("traces").where("root_id", "=", id);
      await claim.set({ claimed_until: new Date(Date.now() + ms) }).execute();
      const next = await run("flow_one");
      // Of two that begin from now on, the second was claimed after that.
      const begun = collector.requests.length + 2;
      await until("it is tried again", () => collector.requests.length >= begun);
      collector.always(null);
      await collector.trace(traceIdOf(next), 2);
      expect(idsOf(traceIdOf(id))).toEqual([]);
      await claim.set({ claimed_until: null }).execute();
      await collector.trace(traceIdOf(id), 2);
    },
  );
});

describe("a trace", () => {
  it("goes with the run that is deleted before it was exported", async () => {
    const { app, collector, run } = traced;
    collector.always({ status: 503 });
    const id = await run("flow_one");
    await app.context.store.db.deleteFrom("executions").where("id", "=", id).execute();
    expect((await pending()).filter(({ root_id }) => root_id === id)).toEqual([]);
    collector.always(null);
  });

  it("S-228: of a run that was taken from a silent worker links what was done next to what had been done last", async () => {
    const { app, collector, run, addFlow, web, asked, statuses } = traced;
    const { db } = app.context.store;
    await addFlow("flow_taken", [
      { id: "first", node: { type: "http", url: `${web}/first` } },
      { id: "held", node: { type: "http", url: `${web}/held`, after: ["first"] } },
    ]);
    // Never answered, as to a worker that is gone.
    statuses.set("/held", 0);
    const ending = run("flow_taken");
    await until("the second node asks", () => asked.has("/held"));
    statuses.delete("/held");
    await db
      .updateTable("executions")
      .set({ owner: "a worker that is gone", lease: new Date(0) })
      .where("subject_id", "=", "flow_taken")
      .execute();
    const id = await ending;
    const spans = await collector.trace(traceIdOf(id), 3);
    const of = (key: string) => spans.find(({ spanId }) => spanId === spanIdOf(id, key));
    expect(of("node held")?.links).toMatchObject([
      { traceId: traceIdOf(id), spanId: spanIdOf(id, "node first") },
    ]);
    expect(of("node first")?.links).toEqual([]);
    expect(of(wholeKey)?.events.map(({ name }) => name)).toContain("wheelhouse.takeover");
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  it("S-228: of a run that a process gave back as it stopped says so", async () => {
    const { app, collector, run, addFlow, web, asked, statuses } = traced;
    const { db } = app.context.store;
    await addFlow("flow_given", [
      { id: "first", node: { type: "http", url: `${web}/given-first` } },
      { id: "held", node: { type: "http", url: `${web}/given-held`, after: ["first"] } },
    ]);
    statuses.set("/given-held", 0);
    const ending = run("flow_given");
    await until("the second node asks", () => asked.has("/given-held"));
    statuses.delete("/given-held");
    const row = await db
      .selectFrom("executions")
      .select(["id", "epoch"])
      .where("subject_id", "=", "flow_given")
      .executeTakeFirstOrThrow();
    // As a process that stops does it.
    await requeue(db, row, { suspect: false, pauseSeconds: 0, isHandover: true });
    const id = await ending;
    const spans = await collector.trace(traceIdOf(id), 3);
    const of = (key: string) => spans.find(({ spanId }) => spanId === spanIdOf(id, key));
    expect(of("node held")?.links).toMatchObject([
      {
        spanId: spanIdOf(id, "node first"),
        attributes: { "wheelhouse.link": "handover" },
      },
    ]);
    const events = of(wholeKey)?.events.map(({ name }) => name);
    expect(events).toContain("wheelhouse.handover");
    expect(events).not.toContain("wheelhouse.takeover");
  });

  it("stands in each line of the log about its execution", async () => {
    const { app } = traced;
    const broken = {
      id: "turn_broken",
      kind: "turn",
      subjectId: "int_none",
      userId: "user_kim",
      teamId: null,
    };
    await app.context.engine.launch({ ...broken, input: { nothing: true } });
    const about = () => lines.map((line) => JSON.parse(line)).filter((line) => line.execution === broken.id);
    await until("the log tells of it", () => about().length > 0);
    for (const line of about()) {
      expect(line.trace_id).toBe(traceIdOf(broken.id));
      expect(line.span_id).toBe(spanIdOf(broken.id, wholeKey));
    }
  });

  it("S-229: has prompts, answers, arguments, results and words of failures where they are asked for, and no key", async () => {
    const { app, collector, run, addFlow, web, statuses } = traced;
    const call = { name: "write_file", args: '{"name":"a.txt","content":"the prose"}' };
    app.model.next(
      { type: "tools", text: "I begin.", calls: [call] },
      { type: "text", text: "It is written." },
    );
    const { body } = await app.call(
      ...(["kim", "POST", "/start_agent"] as const),
      { gummie_id: "agent_kim", message: "Write some prose", user_id: "user_kim" },
      { traceparent: `00-${"c".repeat(32)}-00f067aa0ba902b7-01` },
    );
    await app.settled(body.interaction_id);
    const spans = await collector.trace("c".repeat(32), 4);
    const of = (name: string) =>
      spans.filter((span) => span.name.startsWith(name)).map(({ attributes }) => attributes);
    expect(of("invoke_agent")).toMatchObject([
      {
        "gen_ai.input.messages": expect.stringContaining("Write some prose"),
        "gen_ai.output.messages": expect.stringContaining("It is written."),
      },
    ]);
    expect(
      of("chat")
        .map((one) => one["gen_ai.output.messages"])
        .sort(),
    ).toEqual([
      expect.stringMatching(/I begin\..*tool_call.*write_file/),
      expect.stringContaining("It is written."),
    ]);
    expect(of("execute_tool")).toMatchObject([
      {
        "gen_ai.tool.call.arguments": expect.stringContaining("the prose"),
        "gen_ai.tool.call.result": expect.stringContaining("a.txt"),
      },
    ]);
    statuses.set("/wrong?key=in-the-url", 404);
    await addFlow("flow_wrong", [{ id: "bad", node: { type: "http", url: `${web}/wrong?key=in-the-url` } }]);
    const id = await run("flow_wrong");
    const failed = (await collector.trace(traceIdOf(id), 2)).map(({ status }) => status.message ?? "");
    expect(failed.filter((words) => words.includes("answered 404"))).toHaveLength(2);
    // The collector is told its key in each request, and nobody anything else.
    expect(new Set(collector.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(["Bearer key-of-the-collector"]),
    );
    const bodies = collector.requests.map((request) => request.body.toString()).join("");
    expect(bodies + lines.join("")).not.toMatch(/key-of-the-collector|in-the-url|sk-canary|test-key-of/);
  });
});
