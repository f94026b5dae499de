import { randomUUID } from "node:crypto";
import { run } from "graphile-worker";
import pino from "pino";
import type { Store } from "../src/service/store/store.ts";
import { workerLogger } from "../src/service/store/worker-logger.ts";

const tables = `
  create table if not exists bench_runs (
    id text primary key, state text not null, input json not null, result json,
    created_at timestamptz not null default now(), finished_at timestamptz
  );
  create table if not exists bench_steps (
    run_id text not null, key text not null, output json not null, lines text[] not null, primary key (run_id, key)
  )`;

/** One statement, one commit, for the start and for each of the three steps; the last one ends the run. */
const start = {
  name: "bench_start",
  text: "insert into bench_runs (id, state, input) values ($1, 'running', $2)",
};
const step = { name: "bench_step", text: "insert into bench_steps values ($1, $2, $3, $4)" };
const last = {
  name: "bench_last",
  text: `with step as (insert into bench_steps values ($1, $2, $3, $4))
         update bench_runs set state = 'done', result = $3, finished_at = now() where id = $1`,
};

async function runOnce({ pool }: Store): Promise<void> {
  const id = `run_${randomUUID()}`;
  const lines = (node: string) =>
    [`started`, `finished in 0 ms`].map((text) => `${new Date().toISOString()} [${node}] ${text}`);
  const output = (value: string) => JSON.stringify({ value });
  await pool.query({ ...start, values: [id, JSON.stringify({ name: "bench" })] });
  await pool.query({ ...step, values: [id, "name", output("bench"), lines("name")] });
  await pool.query({ ...step, values: [id, "words", output("Hello, bench!"), lines("words")] });
  await pool.query({ ...last, values: [id, "greeting", output("Hello, bench!"), lines("greeting")] });
}

/**
 * A workflow of three nodes without pauses as one would write it by hand for this one purpose: prepared statements, a
 * commit for its start and one a step, no queue, no fence, nobody who takes over.
 * @returns runs per second
 */
export async function handWritten(store: Store, milliseconds: number, parallel: number): Promise<number> {
  await store.pool.query(tables);
  let runs = 0;
  const began = performance.now();
  const one = async () => {
    while (performance.now() - began < milliseconds) {
      await runOnce(store);
      runs++;
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return (runs * 1000) / (performance.now() - began);
}

/** Jobs of Graphile Worker that do nothing, all there before the first is taken. @returns jobs per second */
export async function emptyJobs(store: Store, jobs: number, parallel: number): Promise<number> {
  const add = "select graphile_worker.add_job('bench_empty') from generate_series(1, $1)";
  await store.pool.query(add, [jobs]);
  let left = jobs;
  let over = () => {};
  const done = new Promise<void>((resolve) => {
    over = resolve;
  });
  const began = performance.now();
  const runner = await run({
    pgPool: store.pool,
    concurrency: parallel,
    noHandleSignals: true,
    parsedCronItems: [],
    logger: workerLogger(pino({ level: "silent" })),
    taskList: {
      bench_empty: async () => {
        if (--left === 0) over();
      },
    },
  });
  await done;
  const took = performance.now() - began;
  await runner.stop();
  return (jobs * 1000) / took;
}
