import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { keys, Service } from "../e2e/service.ts";
import { openStore, type Store } from "../src/service/store/store.ts";
import {
  type Bytes,
  bytesUntilNow,
  commitsUntilNow,
  countStatements,
  spentUntilNow,
  statementsUntilNow,
} from "./cost.ts";
import { emptyJobs, handWritten } from "./hand-written.ts";
import { type Answered, answersTo, forkBench } from "./process.ts";
import { type Figure, quantile } from "./report.ts";

const clients = 16;
const roundMs = 3_000;
/** Long enough that a page more or less of a table says nothing. */
const bytesMs = 20_000;
const jobs = 2_000;

/** `flow_hello` without its pause: an input, a template, an output. */
const flow = `
  insert into saved_items (id, team_id, user_id, name, definition)
  select 'flow_pause_free', team_id, user_id, 'Pause-free', $1 from saved_items where id = 'flow_hello'
  on conflict (id) do update set removed_at = null`;
const nodes = [
  { id: "name", node: { type: "input", default: "world" } },
  { id: "words", node: { type: "template", text: "Hello, {{ name.value }}!" } },
  { id: "greeting", node: { type: "output", value: "{{ words.value }}" } },
];

/** A start of the service removes what the workspace does not have. */
const addFlow = ({ pool }: Store) => pool.query(flow, [JSON.stringify({ nodes })]);

/** What is started, over and over. */
interface Work {
  readonly path: string;
  /** In turn. */
  readonly bodies: readonly object[];
  readonly status: number;
}
/** Each says something else, as runs do: what is the same in all of them would cost the search's index nothing. */
const run: Work = {
  path: "/api/v1/start_pipeline?user_id=user_ada&saved_item_id=flow_pause_free",
  bodies: Array.from({ length: 5_000 }, () => ({ name: randomWords(4) })),
  status: 200,
};
const turn: Work = {
  path: "/api/v1/start_agent",
  bodies: [
    {
      user_id: "user_ada",
      gummie_id: "agent_scribe",
      message: '/write_file {"name": "notes.md", "content": "Mooring lines checked."}',
    },
  ],
  status: 202,
};

function randomWords(count: number): string {
  const letters = (word: number) => randomBytes(3 + (word % 4)).toString("hex");
  return Array.from({ length: count }, (_, word) => letters(word)).join(" ");
}

function requestOf(path: string, body: object): string {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${keys.ada}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Until nothing is left to do. */
async function drained({ pool }: Store): Promise<void> {
  const left = "select exists (select from executions where state in ('queued', 'running')) as left";
  while ((await pool.query(left)).rows[0]?.left) await delay(20);
}

/** Until the search and the audit log have all of it, too: that comes a moment later, and has its bytes. */
async function indexed({ pool }: Store): Promise<void> {
  const left = `select exists (select from audit_pending) or exists (
    select id from executions where kind = 'pipeline' and finished_at is not null
    except (select id from search_pending union all select unnest(ids) from search_blocks)) as left`;
  while ((await pool.query(left)).rows[0]?.left) await delay(500);
}

/** A service with what is measured on it. */
interface Measured {
  readonly service: Service;
  readonly store: Store;
  readonly loader: ChildProcess;
}

/** Starts from many clients for a while, and waits for the last to end. @param ms how long is started */
async function burst({ service, store, loader }: Measured, work: Work, ms: number) {
  const port = Number(new URL(service.url).port);
  const before = await endedUntilNow(store);
  const began = performance.now();
  const load = {
    port,
    connections: clients,
    milliseconds: ms,
    status: work.status,
    requests: work.bodies.map((body) => requestOf(work.path, body)),
  };
  const answered: Answered = await answersTo(loader, load);
  await drained(store);
  const seconds = (performance.now() - began) / 1000;
  const ended = (await endedUntilNow(store)) - before;
  return { ended, rate: ended / seconds, took: answered.took };
}

/** Those that were asked for, with what they started. */
async function endedUntilNow({ pool }: Store): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    "select count(*) as n from executions where kind in ('pipeline', 'turn') and state = 'done'",
  );
  return Number(rows[0]?.n);
}

/**
 * What an ended run leaves in a database that was new before: nothing of its tables lies free that what came before has left.
 */
async function bytesOfRun(measured: Measured): Promise<Figure[]> {
  const { store } = measured;
  const before = await bytesUntilNow(store);
  const { ended } = await burst(measured, run, bytesMs);
  await indexed(store);
  const after = await bytesUntilNow(store);
  const each = (name: string, part: keyof Bytes, budget: number | null): Figure => ({
    ...{ name, value: (after[part] - before[part]) / ended, unit: "B", budget },
  });
  return [
    each("bytes of a pause-free run", "others", 1_500),
    each("… in the index of the search", "search", null),
    each("… of the entry in the audit log that it was started", "audit", null),
  ];
}

/** What one pause-free run costs the database and the service's process. */
async function costOfRun(measured: Measured): Promise<Figure[]> {
  const { service, store } = measured;
  await countStatements(store);
  await store.pool.query("checkpoint");
  await service.signal("SIGTERM");
  await store.close();
  await service.startAgain();
  const again = await openStore({ dataDirectory: service.data, log: pino({ level: "silent" }) });
  const now = { ...measured, store: again };
  await addFlow(again);
  await burst(now, run, roundMs);
  await indexed(again);
  const before = {
    commits: await commitsUntilNow(again),
    statements: await statementsUntilNow(again),
  };
  const spent = await spentUntilNow(again, service.pid);
  const { ended } = await burst(now, run, roundMs);
  await indexed(again);
  const after = await spentUntilNow(again, service.pid);
  const statements = await statementsUntilNow(again);
  const commits = await commitsUntilNow(again);
  await again.close();
  const each = (name: string, value: number, unit: string, budget: number | null): Figure => ({
    name: `${name} of a pause-free run`,
    ...{ value: value / ended, unit, budget },
  });
  return [
    each("PostgreSQL's processor time", after.databaseMs - spent.databaseMs, "ms", 1.2),
    each("the service's processor time", after.nodeMs - spent.nodeMs, "ms", null),
    each("statements", statements - before.statements, "", null),
    each("commits", commits - before.commits, "", 3),
  ];
}

/**
 * Runs of a flow of three nodes without pauses, started by 16 clients as fast as they are answered, from the first start to
 * the end of the last; on the same PostgreSQL, in turns, the same workflow written by hand with one commit a step, and empty
 * jobs of Graphile Worker; agents' turns with one call of a tool; what one run leaves in a new database, and what it costs.
 */
export async function benchRunsPerSecond(rounds = 4): Promise<Figure[]> {
  const service = await Service.start({ log: openSync("/dev/null", "w") });
  const loader = forkBench("load.ts");
  try {
    const store = await openStore({ dataDirectory: service.data, log: pino({ level: "silent" }) });
    await addFlow(store);
    const measured = { service, store, loader };
    const bytes = await bytesOfRun(measured);
    const ours: number[] = [];
    const byHand: number[] = [];
    const empty: number[] = [];
    const turns: number[] = [];
    const took: number[] = [];
    // The first round warms all up and does not count.
    for (let round = 0; round <= rounds; round++) {
      const rates = [
        await burst(measured, run, roundMs),
        await handWritten(store, roundMs, clients),
        await emptyJobs(store, jobs, clients),
        await burst(measured, turn, roundMs),
      ] as const;
      if (round === 0) continue;
      ours.push(rates[0].rate);
      took.push(...rates[0].took);
      byHand.push(rates[1]);
      empty.push(rates[2]);
      turns.push(rates[3].rate);
    }
    const rate = (name: string, samples: readonly number[]): Figure => ({
      ...{ name, value: quantile(samples, 0.5), unit: "1/s", budget: null, samples },
    });
    const ratio = quantile(ours, 0.5) / quantile(byHand, 0.5);
    return [
      rate("pause-free runs", ours),
      rate("written by hand", byHand),
      rate("empty jobs", empty),
      { name: "runs / written by hand", value: ratio, unit: "", budget: 0.25, bound: "at least" },
      { name: "start_pipeline, 16 clients (p50)", value: quantile(took, 0.5), unit: "ms", budget: 10 },
      { name: "start_pipeline, 16 clients (p99)", value: quantile(took, 0.99), unit: "ms", budget: null },
      rate("turns with one call of a tool", turns),
      ...bytes,
      ...(await costOfRun(measured)),
    ];
  } finally {
    loader.kill();
    await service.stop();
  }
}
