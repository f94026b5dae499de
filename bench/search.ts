import { chmodSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { Service } from "../e2e/service.ts";
import { randomIds } from "../src/service/context.ts";
import { createKey } from "../src/service/credentials/keys.ts";
import { indexBatch } from "../src/service/search/index-batch.ts";
import { enableSearch } from "../src/service/search/index-tables.ts";
import { openStore, type Store } from "../src/service/store/store.ts";
import { historians, seedHistory } from "../src/testing/history.ts";
import { type Figure, quantile, type Taken } from "./report.ts";

const rounds = 25;

/** What people search for: in each run, in one of a hundred, in one of 100,000, in none, and in none though its letters are. */
const terms: readonly (readonly [name: string, q: string])[] = [
  ["everywhere", "the"],
  ["often", "quayeths"],
  ["rare", "needle in the hay"],
  ["nowhere", "zyzzyva"],
  ["nowhere, of common letters", "theringther"],
  ["one signs of three", "-PL"],
];
const kinds = ["artifact", "run", "conversation"] as const;

/**
 * First hits of `GET /search` in a long history, for a person with much of it, one with little and the key of a team; and
 * what the index costs for each run.
 * @param words `runs=N` for another number of runs than a million
 */
export async function benchSearch(words: readonly string[]): Promise<Taken> {
  const given = words.map((word) => /^runs=(\d+)$/.exec(word)?.[1]).find((count) => count !== undefined);
  const runs = Number(given ?? 1_000_000);
  const data = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  chmodSync(data, 0o755);
  const store = await openStore({
    dataDirectory: data,
    log: pino({ level: "silent" }),
    queryTimeoutMs: 3_600_000,
  });
  let service: Service | undefined;
  try {
    await seedHistory(store.db, {
      runs,
      conversations: Math.ceil(runs * 0.3),
      artifacts: Math.ceil(runs * 0.1),
      texts: true,
    });
    const cost = await indexAll(store);
    const callers = {
      much: await keyOf(store, "person", historians.much),
      little: await keyOf(store, "person", historians.little),
      team: await keyOf(store, "team", historians.team),
    };
    service = await Service.start({ data, log: openSync("/dev/null", "w") });
    const figures = [...cost];
    for (const [caller, key] of Object.entries(callers)) {
      for (const [name, q] of terms) {
        for (const kind of kinds)
          figures.push(await firstHits(service, `${kind}, ${caller}: ${name}`, { key, q, kind }));
      }
    }
    return { figures, raw: { runs } };
  } finally {
    await service?.stop();
    await store.close();
    rmSync(data, { recursive: true, force: true });
  }
}

async function keyOf({ db }: Store, kind: "person" | "team", id: string): Promise<string> {
  return (await createKey(db, randomIds, { kind, id }, "bench")).secret;
}

/** Indexes all that the seed has made. */
async function indexAll(store: Store): Promise<Figure[]> {
  await enableSearch(store);
  const begun = performance.now();
  let ended = 0;
  for (let some = await indexBatch(store); some !== null && some > 0; some = await indexBatch(store))
    ended += some;
  const took = performance.now() - begun;
  await sql`vacuum analyze search_blocks, search_pending`.execute(store.db);
  const bytes = async (relation: string) => {
    const { rows } = await sql<{
      bytes: string;
    }>`select pg_total_relation_size(${relation}::regclass) as bytes`.execute(store.db);
    return Number(rows[0]?.bytes);
  };
  const blocks = (await bytes("search_blocks")) + (await bytes("search_pending"));
  const index = await bytes("search_blocks_text");
  const { rows } = await sql<{ bytes: string }>`
    select sum(octet_length(text)) / count(distinct execution_id) as bytes from log_lines`.execute(store.db);
  return [
    { name: "index, each run or turn", value: took / ended, unit: "ms", budget: null },
    {
      name: "the index with its texts, each run or turn",
      value: blocks / ended,
      unit: "bytes",
      budget: null,
    },
    { name: "… of which the index over the texts", value: index / ended, unit: "bytes", budget: null },
    { name: "the log of a run as it is stored", value: Number(rows[0]?.bytes), unit: "bytes", budget: null },
  ];
}

async function firstHits(
  service: Service,
  name: string,
  { key, q, kind }: { key: string; q: string; kind: string },
): Promise<Figure> {
  const took: number[] = [];
  const address = `/search?${new URLSearchParams({ q, kinds: kind })}`;
  for (let round = 0; round < rounds + 3; round += 1) {
    const begun = performance.now();
    const answer = await service.request("GET", address, undefined, key);
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}: ${body}`);
    if (round >= 3) took.push(performance.now() - begun);
    if (round === 3 && process.env.BENCH_SAY) {
      const { hits, searched_to, next_cursor } = JSON.parse(body);
      console.log(name, hits.length, searched_to, next_cursor !== null);
    }
  }
  return { name, value: quantile(took, 0.95), unit: "ms p95", budget: 300, samples: took };
}
