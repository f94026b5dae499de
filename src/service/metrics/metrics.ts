import { statfs } from "node:fs/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Config, FilesPlace } from "../config.ts";
import type { Context } from "../context.ts";
import type { FileStore } from "../files/file-store.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { Meters } from "../meters.ts";
import type { Models } from "../models/models.ts";
import { meteredFiles, meteredMcp, meteredModels } from "./calls.ts";
import { meterDatabase } from "./database.ts";
import { meterQueue } from "./queue.ts";

/** What one process counts, and how it is read. Each series is one of a bounded number, however many agents there are. */
export interface Metrics {
  readonly meters: Meters;
  /** The same, and each call is counted. */
  models(models: Models): Models;
  mcp(mcp: Mcp): Mcp;
  files(files: FileStore): FileStore;
  /** From here on also what only the database knows. */
  watch(context: Context): void;
  /** All of it in Prometheus' text format, as it is now. */
  text(): Promise<string>;
}

/** Up to these many seconds. */
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const waitSeconds = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800];
const stepSeconds = [0.005, 0.05, 0.5, 2.5, 10, 60, 600, 3_600];
const statementSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** @param concurrency executions that this process runs at the same time */
export function createMetrics({
  version,
  concurrency,
  filesAt,
}: Pick<Config, "version" | "concurrency" | "filesAt">): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const build = { name: "wheelhouse_build_info", help: "1, with the version as a label", registers };
  new Gauge({ ...build, labelNames: ["version"] }).set({ version }, 1);
  new Gauge({
    ...{ name: "wheelhouse_execution_places", registers },
    help: "Executions that this process runs at the same time (--concurrency)",
  }).set(concurrency);
  new Gauge({
    ...{ name: "wheelhouse_files_free_bytes", registers },
    help: "What the disk of the folder of files has left; NaN where it cannot be asked, as of an object store",
    async collect() {
      this.set(await freeBytes(filesAt).catch(() => Number.NaN));
    },
  });
  const requests = new Counter({
    ...{ name: "wheelhouse_http_requests_total", registers, labelNames: ["route", "status"] },
    help: "Requests that were answered, by endpoint and status; 304 is a poll that brought nothing new",
  });
  const requestTimes = new Histogram({
    ...{ name: "wheelhouse_http_request_seconds", registers, labelNames: ["route"], buckets: requestSeconds },
    help: "Time until an answer began, by endpoint",
  });
  const ended = new Counter({
    ...{ name: "wheelhouse_executions_ended_total", registers, labelNames: ["kind", "state"] },
    help: "Executions that this process ended, by kind and state",
  });
  const waits = new Histogram({
    ...{ name: "wheelhouse_execution_wait_seconds", registers, labelNames: ["kind"], buckets: waitSeconds },
    help: "How long executions that this process claimed had been ready, or held back by a limit",
  });
  const records = new Histogram({
    ...{ name: "wheelhouse_step_record_seconds", registers, buckets: statementSeconds },
    help: "Time of the statements that record steps, each of one or several executions",
  });
  const steps = new Histogram({
    ...{ name: "wheelhouse_step_seconds", registers, labelNames: ["kind", "step", "outcome"] },
    ...{ help: "How long nodes of runs and calls of tools took until they ended: `done` or `failed`" },
    buckets: stepSeconds,
  });
  const takenOver = new Counter({
    ...{ name: "wheelhouse_executions_taken_over_total", registers },
    help: "Executions that were taken from workers that had fallen silent",
  });
  const spans = new Counter({
    ...{ name: "wheelhouse_trace_spans_total", registers, labelNames: ["outcome"] },
    help: "Spans that the trace collector took (`exported`), or refused (`rejected`)",
  });
  const traces = new Counter({
    ...{ name: "wheelhouse_traces_dropped_total", registers },
    help: "Traces that were given up, as the collector had taken none for a day",
  });
  return {
    meters: {
      request(route, status, seconds) {
        requests.inc({ route, status });
        requestTimes.observe({ route }, seconds);
      },
      ended: (kind, state) => ended.inc({ kind, state }),
      claimed: (kind, seconds) => waits.observe({ kind }, seconds),
      recorded: (seconds) => records.observe(seconds),
      step: (kind, step, outcome, seconds) => steps.observe({ kind, step, outcome }, seconds),
      takenOver: (count) => takenOver.inc(count),
      spans: (outcome, count) => spans.inc({ outcome }, count),
      traces: (_, count) => traces.inc(count),
    },
    models: (models) => meteredModels(models, registry),
    mcp: (mcp) => meteredMcp(mcp, registry),
    files: (files) => meteredFiles(files, registry),
    watch({ store }) {
      meterDatabase(store.pool, registry, statementSeconds);
      meterQueue(store, registry);
    },
    text: () => registry.metrics(),
  };
}

async function freeBytes(place: FilesPlace): Promise<number> {
  if (place.type !== "folder") return Number.NaN;
  const { bavail, bsize } = await statfs(place.path);
  return bavail * bsize;
}
