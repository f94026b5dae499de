import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { Service } from "../e2e/service.ts";
import { randomIds } from "../src/service/context.ts";
import { createKey } from "../src/service/credentials/keys.ts";
import { openStore, type Store } from "../src/service/store/store.ts";
import { historians, seedHistory } from "../src/testing/history.ts";
import { indexed } from "./indexed.ts";
import { answersTo, forkBench } from "./process.ts";
import { type Figure, quantile, type Taken } from "./report.ts";

const root = resolve(import.meta.dirname, "..");
/** Runs that stay and are asked for. */
const asked = 200;
const milliseconds = 3_000;
/** Of millions of answers the record keeps so many, spread over all of the time. */
const keptSamples = 5_000;

const some = (samples: readonly number[]) =>
  samples.filter((_, at) => at % Math.ceil(samples.length / keptSamples) === 0);

/**
 * Nine tenths of a history's runs are deleted beside the service, by `wheelhouse retention` as it is: how long that takes,
 * what `get_pl_run` of runs that stay takes meanwhile and before, and how large the tables are before, after, and written
 * anew. Seeded runs have no log and no steps.
 * `--runs=N` of the command line seeds N runs instead of a million
 */
export async function benchRetention(): Promise<Taken> {
  const runs = Number(/--runs=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 1_000_000);
  const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  const people = readFileSync(join(root, "workspace/wheelhouse.yaml"), "utf8");
  writeFileSync(
    join(workspace, "wheelhouse.yaml"),
    `${people}\nretention: { runs: 30d, failed_runs: 30d }\n`,
  );
  const service = await Service.start({ log: openSync("/dev/null", "w") });
  const loader = forkBench("load.ts");
  const store = await openStore({
    dataDirectory: service.data,
    log: pino({ level: "silent" }),
    queryTimeoutMs: 3_600_000,
  });
  const retention = (...flags: string[]) => retentionOf(service.data, workspace, flags);
  try {
    await seedHistory(store.db, { runs, conversations: 1, artifacts: 1 });
    await indexed(store);
    const load = { port: Number(new URL(service.url).port), connections: 4, milliseconds, status: 200 };
    const requests = await requestsFor(store);
    const took = async () => (await answersTo(loader, { ...load, requests })).took;
    await took();
    const without = await took();
    const before = await sizeOf(store);
    const began = performance.now();
    const deleting = retention();
    let isOver = false;
    void deleting.finally(() => {
      isOver = true;
    });
    const during: number[] = [];
    while (!isOver) during.push(...(await took()));
    const said = await deleting;
    const seconds = (performance.now() - began) / 1_000;
    console.log(said.trim());
    const after = await sizeOf(store);
    await retention("--compact");
    const compact = await sizeOf(store);
    const deleted = Number(/Deleted (\d+) runs/.exec(said)?.[1]);
    const [calm, busy] = [quantile(without, 0.99), quantile(during, 0.99)];
    const figures: Figure[] = [
      { name: "runs deleted", value: deleted, unit: "", budget: null },
      { name: "time", value: seconds, unit: "s", budget: null },
      { name: "runs deleted a second", value: deleted / seconds, unit: "/s", budget: null },
      { name: "get_pl_run p99 without it", value: calm, unit: "ms", budget: null, samples: some(without) },
      { name: "get_pl_run p99 meanwhile", value: busy, unit: "ms", budget: null, samples: some(during) },
      { name: "get_pl_run p99, times as long", value: busy / calm, unit: "x", budget: 2 },
      ...sizes("before", before),
      ...sizes("after", after),
      ...sizes("after --compact", compact),
    ];
    return { figures, raw: runs === 1_000_000 ? { runs } : null };
  } finally {
    loader.kill();
    await store.close();
    await service.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** What the command printed. @throws Error where it failed */
async function retentionOf(data: string, workspace: string, flags: readonly string[]): Promise<string> {
  const args = ["retention", "--data", data, "--workspace", workspace, ...flags];
  const child = spawn(process.execPath, [join(root, "dist/service/main.js"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (text) => {
    said += String(text);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`wheelhouse retention ended with ${code}: ${said}`);
  return said;
}

/** The newest runs of whoever has most, as they go over the wire. */
async function requestsFor(store: Store): Promise<string[]> {
  const owner = { kind: "person", id: historians.much } as const;
  const { secret } = await createKey(store.db, randomIds, owner, "made for a bench");
  const rows = await store.db
    .selectFrom("executions")
    .select("id")
    .where("kind", "=", "pipeline")
    .where("user_id", "=", historians.much)
    .orderBy("created_at", "desc")
    .limit(asked)
    .execute();
  const head = `host: localhost\r\nauthorization: Bearer ${secret}\r\nx-auth-key: ${historians.much}\r\n\r\n`;
  return rows.map(
    ({ id }) => `GET /api/v1/get_pl_run?run_id=${id}&user_id=${historians.much} HTTP/1.1\r\n${head}`,
  );
}

interface Size {
  readonly heap: number;
  readonly indexes: number;
}

/** Of all tables, in bytes. */
async function sizeOf({ db }: Store): Promise<Size> {
  const { rows } = await sql<Size>`
    select sum(pg_table_size(oid))::float8 as heap, sum(pg_indexes_size(oid))::float8 as indexes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db);
  return rows[0] ?? { heap: 0, indexes: 0 };
}

function sizes(when: string, { heap, indexes }: Size): Figure[] {
  const figure = (what: string, bytes: number): Figure => {
    return { name: `${what}, ${when}`, value: bytes / 1e6, unit: "MB", budget: null };
  };
  return [figure("tables", heap), figure("indexes", indexes)];
}
