import { once } from "node:events";
import { chmodSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { keys, Service } from "../e2e/service.ts";
import { openStore, type Store } from "../src/service/store/store.ts";
import { type Figure, quantile, type Taken } from "./report.ts";

/** Of the loud team's flow, when it is measured. */
const queuedRuns = 10_000;
/** How long the loud team is counted alone, before and after, in ms. */
const aloneMs = 20_000;
/** What may go at a time of a team whose operator has said so. */
const ownLimit = 2;

/** What the loud team starts: each takes a thread for code, or a place of a worker while somebody answers slowly. */
const loud = {
  code: `{ type: code, source: "const end = Date.now() + 40; let n = 0; while (Date.now() < end) n++; return n" }`,
  http: (sink: string) => `{ type: http, url: "${sink}" }`,
} as const;

/** What the other team starts: one after the other, each when the last has ended. */
const quiet = {
  "a run": { flow: "flow_quick", times: 200 },
  "a run with a pause of a second": { flow: "flow_hello", times: 60 },
  "a turn": { agent: "agent_scribe", times: 200 },
} as const;
type Quiet = keyof typeof quiet;

/** The sample workspace with the flows that are started. @returns its folder */
function makeWorkspace(sink: string): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-fair-"));
  cpSync(resolve(import.meta.dirname, "../workspace"), folder, { recursive: true });
  const flow = (id: string, node: string, team: string) =>
    writeFileSync(
      join(folder, "flows", `${id}.yaml`),
      `id: flow_${id}\nname: ${id}\nteam: ${team}\nnodes:\n  work: ${node}\n  out: { type: output, value: "{{ work.value }}" }\n`,
    );
  flow("code", loud.code, "team_annex");
  flow("http", loud.http(sink), "team_annex");
  flow("quick", '{ type: template, text: "Hello, {{ 1 }}!" }', "team_harbor");
  const file = join(folder, "wheelhouse.yaml");
  const settings = readFileSync(file, "utf8").replace(
    "allow_private: []",
    `allow_private: ["${new URL(sink).host}"]`,
  );
  writeFileSync(file, settings);
  return folder;
}

interface Measured {
  readonly service: Service;
  readonly store: Store;
}

/** Queues so many runs of a flow, as copies of one that was started. */
async function queue({ service, store }: Measured, flow: string, count: number): Promise<void> {
  const path = `/start_pipeline?user_id=user_grace&project_id=team_annex&saved_item_id=${flow}`;
  const started = await service.request("POST", path, {}, keys.grace);
  const { run_id: id } = (await started.json()) as { run_id: string };
  await store.pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input, queued_at)
     select $1 || '_' || n, kind, $1 || '_' || n, 0, subject_id, user_id, team_id, input, now()
       from executions, generate_series(1, $2) n where id = $1`,
    [id, count],
  );
}

async function removeQueued({ store }: Measured): Promise<void> {
  await store.pool.query("delete from executions where state = 'queued' and team_id = 'team_annex'");
  const left =
    "select exists (select from executions where finished_at is null and team_id = 'team_annex') as left";
  while ((await store.pool.query(left)).rows[0]?.left) await delay(100);
}

/** Starts one and waits for its end. @returns how long that took, in ms */
async function one({ service, store }: Measured, what: Quiet): Promise<number> {
  const work = quiet[what];
  const began = performance.now();
  const answer =
    "flow" in work
      ? await service.request("POST", `/start_pipeline?user_id=user_ada&saved_item_id=${work.flow}`, {})
      : await service.request("POST", "/start_agent", {
          ...{ user_id: "user_ada", gummie_id: work.agent },
          message: '/write_file {"name": "notes.md", "content": "Mooring lines checked."}',
        });
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
  const { run_id: run, interaction_id: talk } = (await answer.json()) as Record<string, string>;
  const ended =
    run === undefined
      ? {
          name: "talk",
          text: "select state <> 'processing' as ended from interactions where id = $1",
          values: [talk],
        }
      : {
          name: "run",
          text: "select finished_at is not null as ended from executions where id = $1",
          values: [run],
        };
  while (!(await store.pool.query(ended)).rows[0]?.ended) await delay(2);
  return performance.now() - began;
}

async function all(measured: Measured, what: Quiet): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time < quiet[what].times; time++) took.push(await one(measured, what));
  return took;
}

/** Runs of the loud team that end in a second while `meanwhile` goes on. */
async function rateDuring({ store }: Measured, meanwhile: () => Promise<unknown>): Promise<number> {
  const ended = async () => {
    const { rows } = await store.pool.query<{ n: number }>(
      "select count(*)::integer as n from executions where team_id = 'team_annex' and state = 'done'",
    );
    return rows[0]?.n ?? 0;
  };
  const [before, began] = [await ended(), performance.now()];
  await meanwhile();
  return ((await ended()) - before) / ((performance.now() - began) / 1_000);
}

const figuresOf = (name: string, took: readonly number[], alone: readonly number[]): Figure[] => {
  const p99 = quantile(took, 0.99);
  return [
    { name: `${name} (p99)`, value: p99, unit: "ms", budget: null, samples: took },
    { name: `${name} (p99) / alone`, value: p99 / quantile(alone, 0.99), unit: "", budget: 3 },
  ];
};

/**
 * What a team with ten thousand queued runs does to another one, on one process: how long the other's runs and turns take
 * beside how long they take alone, and how much less of the loud team's ends meanwhile; and that an operator's limit holds.
 * @param words of what is looked at alone, and not kept: `code` or `http`, `turn`, `pause`
 */
export async function benchFairness(words: readonly string[]): Promise<Taken> {
  const sink = createServer((_, answer) => setTimeout(() => answer.end("{}"), 3_000)).listen(0, "127.0.0.1");
  await once(sink, "listening");
  const workspace = makeWorkspace(`http://127.0.0.1:${(sink.address() as AddressInfo).port}/`);
  const data = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  chmodSync(data, 0o755);
  const log = openSync("/dev/null", "w");
  const service = await Service.start({ data, log, flags: ["--workspace", workspace] });
  const store = await openStore({ dataDirectory: data, log: pino({ level: "silent" }) });
  const measured = { service, store };
  const figures: Figure[] = [];
  try {
    const isWanted = (name: string, all: readonly string[]) => {
      const named = words.filter((word) => all.some((one) => one.includes(word)));
      return named.length === 0 || named.some((word) => name.includes(word));
    };
    const names = (Object.keys(quiet) as Quiet[]).filter((name) => isWanted(name, Object.keys(quiet)));
    const alone = new Map<Quiet, number[]>();
    for (const what of names) {
      await one(measured, what);
      const took = await all(measured, what);
      alone.set(what, took);
      figures.push({
        name: `${what}, alone (p99)`,
        value: quantile(took, 0.99),
        unit: "ms",
        budget: null,
        samples: took,
      });
    }
    const flows = Object.keys(loud) as (keyof typeof loud)[];
    for (const flow of flows.filter((name) => isWanted(name, flows))) {
      await queue(measured, `flow_${flow}`, queuedRuns);
      const before = await rateDuring(measured, () => delay(aloneMs));
      const beside = await rateDuring(measured, async () => {
        for (const what of names) {
          const took = await all(measured, what);
          figures.push(...figuresOf(`${what}, beside ${queuedRuns} of ${flow}`, took, alone.get(what) ?? []));
        }
      });
      const after = await rateDuring(measured, () => delay(aloneMs));
      const usual = (before + after) / 2;
      figures.push(
        { name: `runs of ${flow}, alone`, value: usual, unit: "1/s", budget: null, samples: [before, after] },
        {
          name: `runs of ${flow}, beside the others / alone`,
          value: beside / usual,
          unit: "",
          budget: 0.9,
          bound: "at least",
        },
      );
      await removeQueued(measured);
    }
    await store.pool.query("insert into running_limits values ('team:team_annex', $1)", [ownLimit]);
    await queue(measured, "flow_code", 200);
    const running =
      "select count(*)::integer as n from executions where state = 'running' and team_id = 'team_annex'";
    const counted: number[] = [];
    for (const until = performance.now() + 5_000; performance.now() < until; await delay(10))
      counted.push((await store.pool.query<{ n: number }>(running)).rows[0]?.n ?? 0);
    figures.push({
      name: `at a time of a team with a limit of ${ownLimit}`,
      ...{ value: Math.max(...counted), unit: "", budget: ownLimit, samples: counted },
    });
    await removeQueued(measured);
    return { figures, raw: words.length === 0 ? { queuedRuns, cases: quiet } : null };
  } finally {
    await store.close();
    await service.stop();
    sink.close();
    rmSync(workspace, { recursive: true, force: true });
  }
}
