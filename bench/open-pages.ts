import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import pino from "pino";
import { Service } from "../e2e/service.ts";
import { randomIds } from "../src/service/context.ts";
import { createKey } from "../src/service/credentials/keys.ts";
import { toJson } from "../src/service/store/json.ts";
import { openStore, type Store } from "../src/service/store/store.ts";
import { historians, seedHistory } from "../src/testing/history.ts";
import { indexed } from "./indexed.ts";
import type { OpenPages, Person, Watched } from "./open-pages-clients.ts";
import { forkBench } from "./process.ts";
import { type Figure, quantile, type Taken } from "./report.ts";

const known = 50;
const all = 500;
const startsPerSecond = 20;
const loudClients = 8;
const sampleMs = 5_000;
/** How long the pages stand open before anything is counted but errors: until then code is compiled and caches fill. */
const settlingMinutes = 5;
const everybody = "team_everybody";
const loudTeam = "team_loud";
const flows = { quick: "flow_bench_quick", long: "flow_bench_long", loud: "flow_bench_loud" };

const option = (name: string, usual: number) =>
  Number(new RegExp(`--${name}=(\\d+)`).exec(process.argv.join(" "))?.[1] ?? usual);

/** Minutes since the beginning, and MiB of the service's process. */
type Sample = readonly [minute: number, mebibytes: number];

/**
 * Five hundred people, each with a page of the console open over a long history, who start twenty runs a second between
 * them; and half as long again while one team starts as many as it is let. What their polls take, how long a run takes to
 * end, and whether the service's memory grows, once it has settled. `--minutes=N` and `--runs=N` make it shorter and the
 * history smaller: no record.
 */
export async function benchOpenPages(): Promise<Taken> {
  const minutes = option("minutes", 10);
  const runs = option("runs", 1_000_000);
  const service = await Service.start({ log: openSync("/dev/null", "w") });
  const clients = forkBench("open-pages-clients.ts");
  const memory: Sample[] = [];
  let sampling: NodeJS.Timeout | undefined;
  try {
    const pages = await seed(service, runs);
    const began = performance.now();
    const sample = () => memory.push([(performance.now() - began) / 60_000, residentMiB(service.pid)]);
    const watch = async (loud: number, minutes: number): Promise<Watched> => {
      const answered = once(clients, "message");
      const told: OpenPages = {
        ...pages,
        loud: { ...pages.loud, clients: loud },
        milliseconds: minutes * 60_000,
      };
      clients.send(told);
      const [watched]: Watched[] = await answered;
      if (watched === undefined) throw new Error("The clients told nothing.");
      return watched;
    };
    sampling = setInterval(sample, sampleMs);
    const settling = await watch(0, Math.min(minutes, settlingMinutes));
    const settled = memory.length;
    const quiet = await watch(0, minutes);
    const quietSamples = memory.length;
    const loud = await watch(loudClients, minutes / 2);
    const figures = [
      figure("errors while the service settles", settling.errors.length, "", 0),
      ...figuresOf("", quiet),
      ...figuresOf(" beside a loud team", loud),
      figure("starts of the loud team", loud.loudStarts / (minutes * 30), "1/s", null),
      figure("memory of the service, at the end", memory.at(-1)?.[1] ?? 0, "MiB", null),
      figure("memory of the service, slope", slope(memory.slice(settled, quietSamples)), "MiB/min", 1),
      figure(
        "memory of the service, slope beside a loud team",
        slope(memory.slice(quietSamples)),
        "MiB/min",
        1,
      ),
    ];
    for (const error of [...settling.errors, ...quiet.errors, ...loud.errors].slice(0, 20))
      console.log(error);
    const isWhole = minutes >= 10 && runs >= 1_000_000;
    return { figures, raw: isWhole ? { minutes, runs, memory } : null };
  } finally {
    clearInterval(sampling);
    clients.kill();
    await service.stop();
  }
}

function figuresOf(when: string, { polls, starts, ends, errors }: Watched): Figure[] {
  const took = polls.map(({ milliseconds }) => milliseconds);
  const each = [...new Set(polls.map(({ what }) => what))].sort().map((what) => {
    const of = polls.filter((poll) => poll.what === what).map(({ milliseconds }) => milliseconds);
    return figure(`… of ${what}${when} (p99)`, quantile(of, 0.99), "ms", null);
  });
  return [
    figure(`polls${when}`, polls.length, "", null),
    figure(`polls${when} (p50)`, quantile(took, 0.5), "ms", null),
    figure(`polls${when} (p99)`, quantile(took, 0.99), "ms", 50),
    ...each,
    figure(`start_pipeline${when} (p99)`, quantile(starts, 0.99), "ms", null),
    figure(`start to end of a run${when} (p99)`, quantile(ends, 0.99), "ms", null),
    figure(`errors${when}`, errors.length, "", 0),
  ];
}

const figure = (name: string, value: number, unit: string, budget: number | null): Figure => ({
  ...{ name, value, unit, budget },
});

/** By least squares. */
function slope(memory: readonly Sample[]): number {
  const mean = (of: 0 | 1) => memory.reduce((sum, sample) => sum + sample[of], 0) / memory.length;
  const [minutes, mebibytes] = [mean(0), mean(1)];
  const products = memory.reduce((sum, [at, size]) => sum + (at - minutes) * (size - mebibytes), 0);
  return products / memory.reduce((sum, [at]) => sum + (at - minutes) ** 2, 0);
}

/** Of Linux alone. */
function residentMiB(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kibibytes) / 1_024;
}

/** A long history, the people with their keys, and a run of each that goes on all the time. */
async function seed(service: Service, runs: number): Promise<Omit<OpenPages, "milliseconds">> {
  const store = await openStore({
    dataDirectory: service.data,
    log: pino({ level: "silent" }),
    queryTimeoutMs: 3_600_000,
  });
  await seedHistory(store.db, {
    ...{ runs, conversations: Math.ceil(runs * 0.3), artifacts: Math.ceil(runs / 10) },
  });
  await addPeople(store);
  const secret = async (kind: "person" | "team", id: string) =>
    (await createKey(store.db, randomIds, { kind, id }, "made for a bench")).secret;
  const loud = { id: loudTeam, key: await secret("team", loudTeam), flow: flows.loud, clients: 0 };
  const people: Person[] = [];
  for (let n = 1; n <= all; n++) {
    const id = `user_h${n}`;
    const key = await secret("person", id);
    people.push({ id, key, polls: await pageOf(service, { id, key }, n) });
  }
  await indexed(store);
  await store.close();
  return { url: service.url, people, flow: flows.quick, startsPerSecond, loud };
}

/** More people, in the teams of those that the history knows, and flows that all of them may start. */
async function addPeople({ db }: Store): Promise<void> {
  await sql`insert into users (id, email, first_name, last_name, plan)
    select 'user_h' || n, 'h' || n || '@history.example', 'Person', n::text, 'pro'
      from generate_series(${known + 1}::int, ${all}::int) n`.execute(db);
  await sql`insert into team_members (team_id, user_id)
    select 'team_h' || 1 + n % 10, 'user_h' || n from generate_series(${known + 1}::int, ${all}::int) n`.execute(
    db,
  );
  for (const [id, name] of [
    [everybody, "Everybody"],
    [loudTeam, "Loud"],
  ] as const) {
    await sql`insert into teams (id, name, plan) values (${id}, ${name}, 'pro')`.execute(db);
  }
  await sql`insert into team_members (team_id, user_id)
    select ${everybody}, 'user_h' || n from generate_series(1, ${all}::int) n`.execute(db);
  await sql`insert into team_members (team_id, user_id) values (${loudTeam}, ${historians.much})`.execute(db);
  await sql`update agents set team_id = ${everybody} where id = ${historians.agent}`.execute(db);
  const quick = [
    { id: "name", node: { type: "input", default: "world" } },
    { id: "words", node: { type: "template", text: "Hello, {{ name.value }}!" } },
    { id: "greeting", node: { type: "output", value: "{{ words.value }}" } },
  ];
  const long = [{ id: "wait", node: { type: "delay", seconds: 3_600, log_every: 5 } }];
  for (const [id, team, nodes] of [
    [flows.quick, everybody, quick],
    [flows.long, everybody, long],
    [flows.loud, loudTeam, quick],
  ] as const) {
    await sql`insert into saved_items (id, team_id, user_id, name, definition)
      values (${id}, ${team}, ${historians.much}, ${id}, ${toJson({ nodes })})`.execute(db);
  }
}

/** What the page of the nth person reads, and how often, as `src/console/api/poll.ts` would have it. */
async function pageOf(
  service: Service,
  { id, key }: Pick<Person, "id" | "key">,
  n: number,
): Promise<Person["polls"]> {
  const runs = { path: "/runs?page_size=50", everyMs: 2_000 };
  const agents = { path: "/agents?sort_order=name_asc", everyMs: 60_000 };
  switch (n % 5) {
    case 0:
      return [runs, agents, { path: "/mcp/servers", everyMs: 60_000 }];
    case 1:
      return [runs, { path: "/runs?state=FAILED", everyMs: 10_000 }];
    case 2: {
      const path = `/start_pipeline?user_id=${id}&saved_item_id=${flows.long}`;
      const answer = await service.request("POST", path, {}, key);
      const { run_id } = await answer.json();
      return [{ path: `/get_pl_run?run_id=${run_id}&user_id=${id}`, everyMs: 2_000 }];
    }
    case 3:
      return [{ path: `/agents/${historians.agent}/sessions?page_size=50`, everyMs: 5_000 }, agents];
    default:
      return [{ path: "/artifacts?page_size=50", everyMs: 20_000 }, agents];
  }
}
