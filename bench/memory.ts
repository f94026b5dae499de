import { chmodSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { keys, Service } from "../e2e/service.ts";
import { openStore } from "../src/service/store/store.ts";
import { openBodies, readAll, send, type Target, unread } from "./memory-attacks.ts";
import {
  addAgents,
  addInputs,
  addRows,
  addSources,
  endlessTemplate,
  large,
  readDocuments,
  runTemplates,
} from "./memory-content.ts";
import type { Probed } from "./memory-probe.ts";
import { forkBench } from "./process.ts";
import { type Figure, quantile, type Taken } from "./report.ts";
import { makeWorkspace, startSink } from "./workspace.ts";

const megabyte = 1_000_000;

/** A body of the largest size, as one text, and one of the most values. */
const bodies = {
  long: JSON.stringify({ user_id: "user_ada", saved_item_id: "flow_hello", name: "x".repeat(9_900_000) }),
  wide: JSON.stringify({
    ...{ user_id: "user_ada", saved_item_id: "flow_hello", name: "x" },
    rows: Array.from({ length: 30_000 }, (_, at) => ({ id: at, city: "c", amount: 1.5, ok: true })),
  }),
};

type Attacks = Readonly<Record<string, (target: Target) => Promise<unknown>>>;

const attacksFrom = (service: Service, { run, sources }: Prepared): Attacks => ({
  "100 bodies without a credential": (target) =>
    Promise.all([
      openBodies(target, "/api/v1/console/sessions", 40),
      openBodies(target, "/upstream/sink/api/v1/things", 40),
      openBodies(target, "/api/v1/start_pipeline", 20),
    ]),
  "100 that do not read a 60 MB log": (target) => unread(target, large.log, 100),
  "20 that read a 60 MB log": (target) => readAll(target, large.log, 20),
  "50 that do not read a 60 MB conversation": (target) => unread(target, large.session, 50),
  "20 that read a 60 MB conversation": (target) =>
    Promise.all([readAll(target, large.session, 10), readAll(target, large.status, 10)]),
  "20 bodies of 10 MB": (target) => send(target, "/api/v1/start_pipeline", bodies.long, 20),
  "20 bodies of 120,000 values": (target) => send(target, "/api/v1/start_pipeline", bodies.wide, 20),
  "40 lists with large agents": (target) =>
    Promise.all([readAll(target, large.agents, 20), readAll(target, large.agentsPage, 20)]),
  "40 that read a run's inputs and values of 9 MB": (target) =>
    Promise.all([
      readAll(target, `/api/v1/runs/${run}`, 20),
      readAll(target, `/api/v1/runs/${run}/nodes/words?whole=true`, 10),
      readAll(target, `/api/v1/runs/${run}/nodes/words`, 10),
    ]),
  "documents made to hurt": () => readDocuments(service, sources),
  "20 runs whose templates sort and join without end": () => runTemplates(service, 20),
});

/** What the service is asked to make before it is attacked. */
interface Prepared {
  /** Id of a run with large inputs. */
  readonly run: string;
  /** Ids of the sources that take documents. */
  readonly sources: readonly string[];
}

/**
 * Memory and event loop of one service under what clients can do to it, one after the other and all at once: its resident
 * memory at the most, how much stays when they are gone, and the longest time without an answer from `/healthz`, less what
 * its main thread waited for a core of this machine.
 */
export async function benchMemory(words: readonly string[]): Promise<Taken> {
  const data = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  chmodSync(data, 0o755);
  const sink = await startSink((request, answer) => {
    request.on("error", () => {});
    request.resume().on("end", () => answer.end("{}"));
  });
  const workspace = makeWorkspace(sink, { endless: { node: endlessTemplate, team: "team_harbor" } });
  const flags = ["--workspace", workspace, "--upstream", `sink=${sink.url}api/v1`];
  const service = await Service.start({ data, flags, log: openSync("/dev/null", "w") });
  const store = await openStore({ dataDirectory: data, log: pino({ level: "silent" }) });
  await addRows(store);
  await store.close();
  const port = Number(new URL(service.url).port);
  const target: Target = { port, key: keys.ada };
  const probed: Probed[] = [];
  const probedBy = { PROBED_PORT: String(port), PROBED_PID: String(service.pid) };
  const prober = forkBench("memory-probe.ts", probedBy);
  prober.on("message", (one: Probed) => probed.push(one));
  const figures: Figure[] = [];
  const resident = () => probed.at(-1)?.rss ?? 0;

  const measure = async (name: string, attack: () => Promise<unknown>) => {
    const before = resident();
    const first = probed.length;
    await attack();
    const during = probed.slice(first);
    const gone = performance.now();
    // It may take a while until memory is given back, and no longer than a minute.
    while (performance.now() - gone < 60_000 && resident() > before + 50 * megabyte) await delay(500);
    const most = Math.max(...during.map(({ rss }) => rss)) / megabyte;
    const stood = during.map(({ took, waited }) => Math.max(0, took - waited));
    const stays = (resident() - before) / megabyte;
    const took = during.map((one) => one.took);
    figures.push(
      { name: `${name}: memory, at the most`, value: most, unit: "MB", budget: 600 },
      { name: `${name}: stays`, value: stays, unit: "MB", budget: 50 },
      {
        name: `${name}: loop, at the most`,
        value: Math.max(...stood),
        unit: "ms",
        budget: 100,
        samples: top(stood),
      },
      { name: `${name}: loop, p99`, value: quantile(stood, 0.99), unit: "ms", budget: null },
      {
        name: `${name}: with waits for a core`,
        value: Math.max(...took),
        unit: "ms",
        budget: null,
        samples: top(took),
      },
    );
    console.log(
      `${name}: ${Math.round(most)} MB, stays ${Math.round(stays)} MB, loop ${Math.round(Math.max(...stood))} ms`,
    );
  };

  try {
    const listBytes = await addAgents(service);
    console.log(`the list of agents: ${Math.round(listBytes / megabyte)} MB`);
    const attacks = attacksFrom(service, {
      run: await addInputs(service),
      sources: await addSources(service),
    });
    // Code is compiled and caches are filled before anything counts.
    await readAll(target, large.log, 4);
    await readAll(target, large.session, 4);
    await send(target, "/api/v1/start_pipeline", bodies.wide, 4);
    await readAll(target, large.agents, 4);
    await delay(10_000);
    const together: Attacks = {
      "all together": () => Promise.all(Object.values(attacks).map((attack) => attack(target))),
    };
    const wanted = Object.entries({ ...attacks, ...together }).filter(
      ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
    );
    for (const [name, attack] of wanted) await measure(name, () => attack(target));
    const memory = probed.filter((_, at) => at % 25 === 0).map(({ at, rss }) => [Math.round(at), rss]);
    return { figures, raw: words.length === 0 ? { listBytes, memory } : null };
  } finally {
    prober.kill();
    await service.stop();
    sink.server.closeAllConnections();
    sink.server.close();
    rmSync(workspace, { recursive: true, force: true });
    rmSync(data, { recursive: true, force: true, maxRetries: 10 });
  }
}

const top = (values: readonly number[]) => [...values].sort((a, b) => b - a).slice(0, 20);
