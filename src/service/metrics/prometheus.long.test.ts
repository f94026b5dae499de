import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../testing/free-port.ts";
import { documentedMetrics } from "../../testing/metrics.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { createMetricsApp } from "../http/metrics-app.ts";
import { type Listening, listen } from "../http/server.ts";
import { createMetrics } from "./metrics.ts";

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-prometheus-"));
const metrics = createMetrics({
  version: "1.2.3",
  concurrency: 10,
  filesAt: { type: "folder", path: folder },
});
let service: TestService;
let listening: Listening;
let prometheus: ChildProcess;
let prometheusPort: number;

/** Debian's package; installed here where that may be. */
function ensurePrometheus(): void {
  const isThere = () => spawnSync("promtool", ["--version"]).status === 0;
  if (isThere()) return;
  const install = ["install", "-y", "--no-install-recommends", "prometheus"];
  if (process.getuid?.() === 0) {
    spawnSync("apt-get", ["update"]);
    spawnSync("apt-get", install, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  }
  if (!isThere())
    throw new Error(`No Prometheus for this test. Install it (Debian: apt-get ${install.join(" ")})`);
}

beforeAll(async () => {
  ensurePrometheus();
  service = await startService({ metrics });
  const guarded = { host: "127.0.0.1", publicUrl: null, allowedHosts: [] };
  listening = await listen(createMetricsApp(guarded, metrics.text), "127.0.0.1", 0);
  prometheusPort = await freePort();
  const target = `127.0.0.1:${listening.port}`;
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(root, "docs/alerts.yml")],
    scrape_configs: [{ job_name: "wheelhouse", static_configs: [{ targets: [target] }] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const address = `127.0.0.1:${prometheusPort}`;
  prometheus = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: "ignore" },
  );
}, 600_000);
afterAll(async () => {
  const ended = new Promise((resolve) => prometheus.once("close", resolve));
  prometheus.kill("SIGKILL");
  await Promise.all([ended, listening.close(0), service.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The values of a query by their labels; nothing while it does not answer. */
async function query(text: string): Promise<{ metric: Record<string, string>; value: number }[]> {
  const url = `http://127.0.0.1:${prometheusPort}/api/v1/query?query=${encodeURIComponent(text)}`;
  const answer = await fetch(url).catch(() => null);
  if (answer?.ok !== true) return [];
  const { data }: { data: { result: { metric: Record<string, string>; value: [number, string] }[] } } =
    await answer.json();
  return data.result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }));
}

test("a real Prometheus reads every metric, and what happened in it", async () => {
  const { keys } = service;
  const body = { user_id: "user_ada", saved_item_id: "flow_hello" };
  expect((await service.call(keys.ada, "POST", "/start_pipeline", body)).status).toBe(200);
  const done = 'wheelhouse_executions_ended_total{kind="pipeline",state="done"}';
  await until("the run is seen to have ended", async () => (await query(done))[0]?.value === 1);
  expect((await query("up"))[0]?.value).toBe(1);
  const seen = async (name: string) => {
    const series = await query(`{__name__=~"${name}(_count)?"}`);
    return series.length > 0;
  };
  // A series with labels is there once it happened: nobody called a model or a server here, or traces anything.
  const later = [
    "wheelhouse_model_call_seconds",
    "wheelhouse_model_tokens_total",
    "wheelhouse_mcp_call_seconds",
    "wheelhouse_trace_spans_total",
  ];
  const expected = documentedMetrics().filter((name) => !later.includes(name));
  for (const name of expected) await until(`${name} is seen`, () => seen(name));
});

test("the rules are taken, and fire for what they are about and nothing else", () => {
  const check = spawnSync("promtool", ["check", "rules", "docs/alerts.yml"], { cwd: root, encoding: "utf8" });
  expect(check.stdout + check.stderr).toContain("SUCCESS");
  const rules = spawnSync("promtool", ["test", "rules", "src/testing/alerts.test.yml"], {
    cwd: root,
    encoding: "utf8",
  });
  expect({ status: rules.status, said: rules.stdout + rules.stderr }).toMatchObject({ status: 0 });
});
