import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { Service } from "../e2e/service.ts";
import { openStore } from "../src/service/store/store.ts";
import {
  all,
  type Measured,
  one,
  type Quiet,
  queuedNow,
  queueRuns,
  queueTurns,
  quiet,
  rateDuring,
  removeQueued,
} from "./fairness-work.ts";
import { type Figure, quantile, type Taken } from "./report.ts";
import { addWorker, stopped } from "./worker.ts";
import { makeWorkspace, type Sink, startSink } from "./workspace.ts";

/** Of the loud team's runs that are queued when it is measured. */
const queuedAtOnce = 10_000;
/** Of its turns, which are over sooner: so many that some are left at the end. */
const queuedTurns = 80_000;
/** How long the loud team is counted alone, before and after, in ms. */
const aloneMs = 20_000;
/** What may go at a time of a team whose operator has said so. */
const ownLimit = 2;

const busy = "const end = Date.now() + 40; let n = 0; while (Date.now() < end) n++; return n";

/** The loud team's work: each takes a thread for code, a place while somebody answers slowly, or writes all the time. */
const loud: Readonly<Record<string, (measured: Measured) => Promise<void>>> = {
  "runs of code": (measured) => queueRuns(measured, "flow_code", queuedAtOnce),
  "runs of http": (measured) => queueRuns(measured, "flow_http", queuedAtOnce),
  turns: (measured) => queueTurns(measured, queuedTurns),
};

/** The sample workspace with what both teams start. @returns its folder */
function workspaceFor(sink: Sink): string {
  const folder = makeWorkspace(sink, {
    code: { node: `{ type: code, source: "${busy}" }`, team: "team_annex" },
    http: { node: `{ type: http, url: "${sink.url}" }`, team: "team_annex" },
    quick: { node: '{ type: template, text: "Hello, {{ 1 }}!" }', team: "team_harbor" },
  });
  const agent =
    "id: agent_loud\nname: Loud\nowner: user_grace\nteam: team_annex\ntools:\n  - type: write_file\n";
  writeFileSync(join(folder, "agents", "loud.yaml"), agent);
  return folder;
}

const p99 = (name: string, took: readonly number[]): Figure => ({
  ...{ name: `${name} (p99)`, value: quantile(took, 0.99), unit: "ms", budget: null, samples: took },
});

/** What the loud team does to the other one, beside what either takes alone, on the processes that are there. */
async function measure(
  measured: Measured,
  on: string,
  { names, flows }: { readonly names: readonly Quiet[]; readonly flows: readonly string[] },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const alone = new Map<Quiet, number[]>();
  for (const what of names) {
    await one(measured, what);
    const took = await all(measured, what);
    alone.set(what, took);
    figures.push(p99(`${what}, alone${on}`, took));
  }
  for (const flow of flows) {
    await loud[flow]?.(measured);
    const before = await rateDuring(measured, () => delay(aloneMs));
    const beside = await rateDuring(measured, async () => {
      for (const what of names) {
        const took = await all(measured, what);
        const name = `${what}, beside queued ${flow}${on}`;
        const ratio = quantile(took, 0.99) / quantile(alone.get(what) ?? [], 0.99);
        figures.push(p99(name, took), { name: `${name} (p99) / alone`, value: ratio, unit: "", budget: 3 });
      }
    });
    const after = await rateDuring(measured, () => delay(aloneMs));
    if ((await queuedNow(measured)) === 0) throw new Error(`The loud team's ${flow} were over too soon.`);
    const usual = (before + after) / 2;
    const kept = { value: beside / usual, unit: "", budget: 0.9, bound: "at least" } as const;
    figures.push(
      { name: `${flow}, alone${on}`, value: usual, unit: "1/s", budget: null, samples: [before, after] },
      { name: `${flow}, beside the others / alone${on}`, ...kept },
    );
    await removeQueued(measured);
  }
  return figures;
}

/** How many runs go at a time of a team whose operator has set a limit. */
async function measureLimit(measured: Measured): Promise<Figure> {
  const { pool } = measured.store;
  await pool.query("insert into running_limits values ('team:team_annex', $1)", [ownLimit]);
  await queueRuns(measured, "flow_code", 200);
  const running =
    "select count(*)::integer as n from executions where state = 'running' and team_id = 'team_annex'";
  const counted: number[] = [];
  for (const until = performance.now() + 5_000; performance.now() < until; await delay(10))
    counted.push((await pool.query<{ n: number }>(running)).rows[0]?.n ?? 0);
  await removeQueued(measured);
  await pool.query("delete from running_limits");
  const name = `at a time of a team with a limit of ${ownLimit}`;
  return { name, value: Math.max(...counted), unit: "", budget: ownLimit, samples: counted };
}

/**
 * What a team with ten thousand queued runs or turns does to another one, on one process and on two: how long the other's
 * runs and turns take beside how long they take alone, and how much less of the loud team's ends meanwhile; and that an
 * operator's limit holds.
 * @param words of what is looked at alone, and not kept: `code`, `http` or `turns`, `turn`, `pause`, and `two` or `one` process
 */
export async function benchFairness(words: readonly string[]): Promise<Taken> {
  const sink = await startSink((_, answer) => setTimeout(() => answer.end("{}"), 3_000));
  const workspace = workspaceFor(sink);
  const data = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  chmodSync(data, 0o755);
  const log = openSync("/dev/null", "w");
  const service = await Service.start({ data, log, flags: ["--workspace", workspace] });
  const store = await openStore({ dataDirectory: data, log: pino({ level: "silent" }) });
  const measured = { service, store };
  const wanted = <T extends string>(all: readonly T[]): readonly T[] => {
    const named = all.filter((one) => words.some((word) => one.includes(word)));
    return named.length === 0 ? all : named;
  };
  const what = { names: wanted(Object.keys(quiet) as Quiet[]), flows: wanted(Object.keys(loud)) };
  const processes = wanted(["one", "two"]);
  const figures: Figure[] = [];
  let worker: ChildProcess | null = null;
  try {
    if (processes.includes("one")) figures.push(...(await measure(measured, "", what)));
    figures.push(await measureLimit(measured));
    if (processes.includes("two")) {
      worker = await addWorker(service, ["--workspace", workspace]);
      figures.push(...(await measure(measured, ", two processes", what)));
    }
    return { figures, raw: words.length === 0 ? { queuedAtOnce, queuedTurns, cases: quiet } : null };
  } finally {
    if (worker !== null) await stopped(worker);
    await store.close();
    await service.stop();
    sink.server.close();
    rmSync(workspace, { recursive: true, force: true });
  }
}
