import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { startTraceCollector, type TraceCollector } from "../../testing/trace-collector.ts";
import { until } from "../../testing/until.ts";
import { startWorkerProcess } from "../../testing/worker.ts";

let app: AgentService;
let collector: TraceCollector;
const workers: ChildProcess[] = [];
const data = mkdtempSync(join(tmpdir(), "wheelhouse-traces-killed-"));

beforeAll(async () => {
  collector = await startTraceCollector();
  // It starts turns and exports nothing: the workers do.
  app = await startAgentService({ work: false, traces: collector.settings() });
});
afterAll(async () => {
  await Promise.all(workers.map(kill));
  await app.stop();
  await collector.close();
  rmSync(data, { recursive: true, force: true });
});

async function startWorker(): Promise<ChildProcess> {
  const worker = await startWorkerProcess(app, data, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  workers.push(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = once(worker, "exit");
  worker.kill("SIGKILL");
  await gone;
}

const begin = async (traceId: string) => {
  const request = { gummie_id: "agent_kim", message: "Write", user_id: "user_kim" };
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  return (await app.call("kim", "POST", "/start_agent", request, { traceparent })).body.interaction_id;
};

test("S-228: a worker that is killed in the middle of a turn costs no span, doubles none, and is a link", async () => {
  const traceId = "1".repeat(32);
  const call = { name: "write_file", args: '{"name":"a.txt","content":"x"}' };
  const busy = { type: "text", text: "Nobody hears this." } as const;
  app.model.next(
    { type: "tools", text: "", calls: [call] },
    { type: "held", until: new Promise(() => {}), answer: busy },
    { type: "text", text: "Written." },
  );
  const first = await startWorker();
  const interaction = await begin(traceId);
  await until("the model is asked again", () => app.model.calls.length === 2);
  await kill(first);
  await startWorker();
  await app.settled(interaction);
  const spans = await collector.trace(traceId, 4);
  expect(spans.map(({ name }) => name).sort()).toEqual([
    ...["chat fake", "chat fake", "execute_tool write_file", "invoke_agent Agent agent_kim"],
  ]);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
  const tool = spans.find(({ name }) => name.startsWith("execute_tool"));
  const linked = spans.filter(({ links }) => links.length > 0);
  expect(linked).toMatchObject([{ name: "chat fake", links: [{ traceId, spanId: tool?.spanId }] }]);
  // The call that nobody heard the end of is not taken for part of the one that came after it.
  expect(linked[0]?.start).toBeGreaterThan((tool?.end ?? 0) + 5_000);
}, 120_000);

test("S-227: a process that is killed while the collector has its spans loses none: another sends them", async () => {
  const traceId = "2".repeat(32);
  collector.always("hang");
  app.model.next({ type: "text", text: "Done." });
  await app.settled(await begin(traceId));
  await until("the collector is asked", () => collector.requests.some(({ body }) => body.includes(traceId)));
  await Promise.all(workers.map(kill));
  collector.always(null);
  await startWorker();
  const spans = await collector.trace(traceId, 2, 90_000);
  expect(spans.map(({ name }) => name).sort()).toEqual(["chat fake", "invoke_agent Agent agent_kim"]);
  await until("it is noted", async () => {
    return (await app.context.store.db.selectFrom("traces").select("root_id").execute()).length === 0;
  });
  expect(collector.spans.filter((span) => span.traceId === traceId)).toHaveLength(2);
}, 180_000);
