import { openSync } from "node:fs";
import { chromium } from "@playwright/test";
import { sql } from "kysely";
import pino from "pino";
import { expectSignedIn } from "../e2e/console.ts";
import { Service } from "../e2e/service.ts";
import { chromiumFlags, ensureChromium } from "../scripts/ensure-chromium.ts";
import { randomIds } from "../src/service/context.ts";
import { createKey } from "../src/service/credentials/keys.ts";
import { toJson } from "../src/service/store/json.ts";
import { openStore, type Store } from "../src/service/store/store.ts";
import { type HistorySize, historians, seedHistory } from "../src/testing/history.ts";
import { cpuSeconds } from "./cpu.ts";
import { indexed } from "./indexed.ts";
import { type Figure, quantile, type Taken } from "./report.ts";

/**
 * A hundred for each of those who ask, two hundred for the one with much: so that pages are as full as with a long history,
 * searched or not.
 */
const few = { runs: 200, conversations: 200, artifacts: 200, halves: true };
const warmUp = 5;
/** All lists are asked so often, one after the other: what slows a machine for a moment is in few of a list's times. */
const passes = 4;
/** The thousandth page of twenty, in pages of a hundred: so many are turned to get there. */
const pagesToTurn = 200;
const watchedSeconds = 60;

const { agent, rubric, flow, smallTeam, much, little } = historians;
const monthsAgo = (months: number) => new Date(Date.now() - months * 30 * 86_400_000).toISOString();

/** Every list that grows with history, with each filter, order and search. */
const lists: readonly string[] = [
  "/runs?",
  ...["FAILED", "TERMINATED", "RUNNING", "STARTED", "DONE", "FAILED,DONE"].map(
    (state) => `/runs?state=${state}`,
  ),
  `/runs?saved_item_id=${flow}`,
  `/runs?saved_item_id=${flow}&state=FAILED`,
  `/runs?created_before=${monthsAgo(5)}`,
  `/runs?created_after=${monthsAgo(5)}`,
  `/runs?team_id=${smallTeam}`,
  ...["report", "needle", "thimble", "haystack", "zq"].map((text) => `/runs?search=${text}`),
  `/get_plrun_saved_item_map?saved_item_id=${flow}`,
  `/agents/${agent}/sessions?`,
  ...["completed", "failed", "stopped", "processing"].map(
    (state) => `/agents/${agent}/sessions?state=${state}`,
  ),
  `/agents/${agent}/sessions?type=console`,
  ...["report", "needle", "thimble", "haystack"].map((text) => `/agents/${agent}/sessions?search=${text}`),
  `/agents/${agent}/evaluations?`,
  `/agents/${agent}/evaluations?grade=needs_attention`,
  `/agents/${agent}/evaluations?tag=slow`,
  `/agents/${agent}/evaluations?created_before=${monthsAgo(5)}`,
  "/evaluations?",
  `/evaluations/${rubric}/results?`,
  "/artifacts?",
  ...["oldest", "name_asc", "name_desc"].map((order) => `/artifacts?sort_order=${order}`),
  `/artifacts?agent_id=${agent}`,
  `/artifacts?team_id=${smallTeam}`,
  "/artifacts?media_type=text/*",
  `/artifacts?creator=${little}`,
  `/artifacts?created_before=${monthsAgo(5)}`,
  ...["report", "needle", "thimble", "haystack", "zq"].map((text) => `/artifacts?search_query=${text}`),
  "/artifacts?shared_by_me=true",
  "/artifacts?shared_through_team=true",
  `/agents/${agent}/artifacts?`,
];

const largest = "key of the largest team";

/** A service with so much history, and the keys of those who ask. */
interface Seeded {
  readonly service: Service;
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Each list for a person with much, one with little and a team's key, its first page and its thousandth, with a long
 * history and with a hundred rows, asked in turn, so that a busy machine is busy for both. The figure is how many times as
 * long the long one's p95 is. Then what an open page costs while a run goes on.
 * @param rounds of each request in a pass; `--runs=N` of the command line seeds N runs instead of a million, and the rest with it
 */
export async function benchHistory(_: readonly string[], rounds = 60): Promise<Taken> {
  const runs = Number(/--runs=(\d+)/.exec(process.argv.join(" "))?.[1] ?? 1_000_000);
  const many = { runs, conversations: Math.ceil(runs * 0.3), artifacts: Math.ceil(runs / 10) };
  const seeded: Seeded[] = [];
  const figures: Figure[] = [];
  try {
    for (const size of [few, many]) seeded.push(await seed(size));
    const [small, large] = seeded as [Seeded, Seeded];
    const pages: Page[] = [];
    for (const who of Object.keys(large.keys)) {
      // The agents are the smallest team's.
      const seen = lists.filter((list) => who !== largest || !/agents|evaluations|team_id/.test(list));
      for (const list of seen) pages.push(...(await pagesOf(who, list, small, large)));
    }
    for (let pass = 0; pass < passes; pass++) {
      for (const page of pages) await compare(page, [small, large], rounds);
    }
    for (const { name, took } of pages) {
      const [few, many] = took.map((samples) => quantile(samples, 0.95)) as [number, number];
      console.log(`${(many / few).toFixed(2)} ${few} ${many} ${name}`);
      figures.push({ name, value: many / few, unit: "times", budget: 2, samples: [few, many] });
    }
    figures.push(...(await pageCosts(large)));
  } finally {
    for (const { service } of seeded) await service.stop();
  }
  // What a quick look took is no record.
  return { figures, raw: runs === 1_000_000 ? { rows: many, passes, rounds } : null };
}

async function seed(size: HistorySize): Promise<Seeded> {
  const service = await Service.start({ log: openSync("/dev/null", "w") });
  const store = await openStore({
    dataDirectory: service.data,
    log: pino({ level: "silent" }),
    queryTimeoutMs: 3_600_000,
  });
  await seedHistory(store.db, size);
  await indexed(store);
  // What an index of a year needs of upkeep at once is no part of a usual day either.
  await sql`vacuum analyze`.execute(store.db);
  await addForAda(store);
  const key = async (kind: "person" | "team", id: string) =>
    (await createKey(store.db, randomIds, { kind, id }, "made for a bench")).secret;
  const keys = {
    much: await key("person", much),
    little: await key("person", little),
    "team key": await key("team", smallTeam),
    [largest]: await key("team", historians.team),
  };
  await store.close();
  return { service, keys };
}

/** Whoever opens the pages is in the largest team, and has a flow that goes on for a while. */
async function addForAda({ db }: Store): Promise<void> {
  await db.insertInto("team_members").values({ team_id: historians.team, user_id: "user_ada" }).execute();
  await db
    .insertInto("saved_items")
    .values({
      ...{ id: "flow_wait", user_id: "user_ada", team_id: null, name: "Wait", removed_at: null },
      definition: toJson({ nodes: [{ id: "wait", node: { type: "delay", seconds: 600, log_every: 1 } }] }),
    })
    .execute();
}

/** A page of a list as somebody asks for it, of the short history and of the long one. */
interface Page {
  readonly name: string;
  readonly who: string;
  readonly addresses: readonly [string, string];
  /** Milliseconds. */
  readonly took: readonly [number[], number[]];
}

/** The first page of a list and its thousandth, where it has one: beside the second of the short history, which is as full. */
async function pagesOf(who: string, list: string, small: Seeded, large: Seeded): Promise<Page[]> {
  const page = (which: string, addresses: readonly [string, string]): Page => ({
    ...{ name: `${who}: ${list} ${which}`, who, addresses },
    took: [[], []],
  });
  const first = page("first", [list, list]);
  const [few, many] = await Promise.all([nextCursor(small, who, list), farCursor(large, who, list)]);
  if (many === null) return [first];
  const far = (cursor: string | null) => (cursor === null ? list : `${list}&cursor=${cursor}`);
  return [first, page("1000th", [far(few), far(many)])];
}

async function compare(
  { who, addresses, took }: Page,
  both: readonly Seeded[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const [at, one] of both.entries()) {
      const begun = performance.now();
      await ask(one, who, addresses[at] as string);
      if (round >= warmUp) took[at]?.push(performance.now() - begun);
    }
  }
}

const nextCursor = async (one: Seeded, who: string, list: string) =>
  (await ask(one, who, list)).next_cursor ?? null;

/** The cursor of the thousandth page, or of the last that there is; null where there is one page alone. */
async function farCursor(one: Seeded, who: string, list: string): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 0; page < pagesToTurn; page++) {
    const address: string = `${list}&page_size=100${cursor === null ? "" : `&cursor=${cursor}`}`;
    const next: string | null | undefined = (await ask(one, who, address)).next_cursor;
    if (next === null || next === undefined) break;
    cursor = next;
  }
  return cursor;
}

async function ask(
  { service, keys }: Seeded,
  who: string,
  address: string,
): Promise<{ next_cursor?: string | null }> {
  const answer = await service.request("GET", address, undefined, keys[who]);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** What an open page costs the service and its database while a run goes on, beside the same time without one. */
async function pageCosts({ service }: Seeded): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  const figures: Figure[] = [];
  try {
    const page = await browser.newPage();
    await page.goto(service.signInLink());
    await expectSignedIn(page);
    await page.goto("about:blank");
    await service.request("POST", "/start_pipeline?user_id=user_ada&saved_item_id=flow_wait", {});
    const watch = async (address: string, polls: number) => {
      await page.goto(address);
      // What it takes to come is not what it costs to stay: it stands when it has read its runs some times.
      for (let poll = 0; poll < polls; poll++) {
        await page.waitForResponse((answer) => new URL(answer.url()).pathname === "/api/v1/runs");
      }
      const before = cpuSeconds(service.data);
      // Nothing is waited for: this is the time of which the cost is measured.
      await page.waitForTimeout(watchedSeconds * 1000);
      return ((cpuSeconds(service.data) - before) * 100) / watchedSeconds;
    };
    for (const [name, path] of [
      ["overview", "/"],
      ["runs page", "/runs"],
    ] as const) {
      const without = await watch("about:blank", 0);
      const open = await watch(service.url + path, 3);
      figures.push({
        name: `an open ${name}`,
        value: open - without,
        unit: "% of a core",
        budget: 2,
        samples: [without, open],
      });
    }
  } finally {
    await browser.close();
  }
  return figures;
}
