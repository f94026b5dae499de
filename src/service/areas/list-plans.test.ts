import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { bigTables, historians, seedHistory } from "../../testing/history.ts";
import { type ExplainedService, type Scan, startExplained } from "../../testing/plans.ts";
import { heldTrees } from "../retention/held.ts";
import { removeConversations } from "../retention/remove-conversations.ts";
import { removeRunFiles } from "../retention/remove-files.ts";
import { removeRuns } from "../retention/remove-runs.ts";
import { removeTrees } from "../retention/remove-trees.ts";
import { type RetentionRules, readRules } from "../retention/rules.ts";
import type { Batch } from "../retention/walk.ts";
import { indexBatch } from "../search/index-batch.ts";
import type { Tx } from "../store/store.ts";

const long = process.env.WHEELHOUSE_LONG === "1";

/** Enough that reading all of a table is never the quickest way, and far more than any page may look at. */
const size = long
  ? { runs: 60_000, conversations: 40_000, artifacts: 20_000 }
  : { runs: 36_000, conversations: 24_000, artifacts: 12_000 };

let explained: ExplainedService;
const keys = new Map<string, string>();
beforeAll(async () => {
  explained = await startExplained();
  const { service } = explained;
  await seedHistory(service.context.store.db, size);
  keys.set("much", await service.makeKey({ kind: "person", id: historians.much }));
  keys.set("little", await service.makeKey({ kind: "person", id: historians.little }));
  keys.set("team key", await service.makeKey({ kind: "team", id: historians.smallTeam }));
}, 300_000);
afterAll(() => explained.service.stop());

const { agent, rubric, flow, smallTeam } = historians;
const month = (ago: number) => new Date(Date.now() - ago * 30 * 86_400_000).toISOString();

/** Lists that come to an end after a few rows, or that no history makes longer. */
const small = [
  // Bounds itself by time (../search/walk.ts).
  "search",
  "listAgents",
  "listAgentVersions",
  "listSources",
  "listMcpServers",
  "listModels",
  // As long as one run has items.
  "listRunNodeItems",
  // As long as there are people and what they sign in with.
  "listPeople",
  "listAdminTeams",
  "listTeamMembers",
  "listKeys",
  "listConsoleSessions",
  "listConnectedPrograms",
  "listPrograms",
  // Not everyone has it: audit-plans.test.ts.
  "listAudit",
];

/** Each list that history makes longer, with each filter and order: whether a page looks at what it shows and no more. */
const lists: readonly (readonly [
  endpoint: keyof typeof endpoints,
  exact: boolean,
  addresses: readonly string[],
])[] = [
  [
    "listRuns",
    true,
    [
      "/runs?",
      "/runs?page_size=100",
      "/runs?state=FAILED",
      "/runs?state=TERMINATED,FAILED",
      "/runs?state=RUNNING",
      "/runs?state=STARTED,RUNNING",
      "/runs?state=QUEUED",
      `/runs?saved_item_id=${flow}`,
      `/runs?team_id=${smallTeam}`,
      `/runs?created_after=${month(3)}`,
      `/runs?created_before=${month(3)}`,
      `/runs?state=FAILED&created_before=${month(3)}`,
    ],
  ],
  [
    "listRuns",
    false,
    [
      "/runs?state=DONE",
      `/runs?state=FAILED&saved_item_id=${flow}`,
      "/runs?search=report",
      "/runs?search=needle",
      "/runs?search=thimble",
      "/runs?search=haystack",
      "/runs?search=zq",
      "/runs?search=%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82",
      "/runs?search=thimble&state=FAILED",
    ],
  ],
  ["listRunsBySavedItem", true, [`/get_plrun_saved_item_map?saved_item_id=${flow}`]],
  ["listSessions", true, [`/agents/${agent}/sessions?`, `/agents/${agent}/sessions?page_size=100`]],
  [
    "listSessions",
    false,
    [
      `/agents/${agent}/sessions?state=completed`,
      `/agents/${agent}/sessions?state=failed`,
      `/agents/${agent}/sessions?state=stopped`,
      `/agents/${agent}/sessions?state=queued,processing`,
      `/agents/${agent}/sessions?type=console`,
      `/agents/${agent}/sessions?search=needle`,
      `/agents/${agent}/sessions?search=haystack`,
    ],
  ],
  [
    "listEvaluationResults",
    false,
    [
      `/agents/${agent}/evaluations?`,
      `/agents/${agent}/evaluations?grade=needs_attention`,
      `/agents/${agent}/evaluations?status=failed`,
      `/agents/${agent}/evaluations?tag=slow`,
      `/agents/${agent}/evaluations?criterion_id=none`,
      `/agents/${agent}/evaluations?session_id=none`,
      `/agents/${agent}/evaluations?evaluation_id=none`,
      `/agents/${agent}/evaluations?created_before=${month(3)}`,
    ],
  ],
  [
    "listInbox",
    true,
    [
      "/inbox?",
      "/inbox?mine=true",
      "/inbox?order=dearest",
      "/inbox?order=dearest&mine=true",
      "/inbox?state=answered",
      "/inbox?state=answered&page_size=100",
      "/inbox?state=answered&mine=true",
      "/inbox?session_id=none",
    ],
  ],
  // Says of each how much it judged in the last month.
  ["listEvaluations", false, ["/evaluations?"]],
  ["listRubricResults", false, [`/evaluations/${rubric}/results?`]],
  [
    "listArtifacts",
    false,
    [
      "/artifacts?",
      "/artifacts?sort_order=oldest",
      "/artifacts?sort_order=name_asc",
      "/artifacts?sort_order=name_desc",
      `/artifacts?agent_id=${agent}`,
      `/artifacts?team_id=${smallTeam}`,
      "/artifacts?session_id=none",
      "/artifacts?media_type=text/*",
      "/artifacts?media_type=image/png",
      `/artifacts?creator=${historians.little}`,
      "/artifacts?search_query=report",
      "/artifacts?search_query=needle",
      "/artifacts?search_query=thimble",
      "/artifacts?search_query=haystack",
      "/artifacts?search_query=zq",
      `/artifacts?created_before=${month(3)}`,
      "/artifacts?shared_by_me=true",
      "/artifacts?shared_through_team=true",
    ],
  ],
  [
    "listAgentArtifacts",
    false,
    [`/agents/${agent}/artifacts?`, `/agents/${agent}/artifacts?sort_order=name_asc&search_query=needle`],
  ],
];

const big = new Set<string>(bigTables);

/** What a page read that it should not have: all of a table, or more rows than any page may look at. */
function wrong(scans: readonly Scan[], mostRows: number): string[] {
  return scans
    .filter(({ how, table, rows }) => big.has(table) && (how.includes("Seq Scan") || rows > mostRows))
    .map(
      ({ how, table, index, rows, statement }) =>
        `${how} of ${table} by ${index}: ${rows} rows of ${statement}`,
    );
}

describe("A page of a list", () => {
  test("is looked at here for each list that there is", () => {
    const paged = Object.values(endpoints).filter(
      ({ query }) => query !== null && "cursor" in query.shape && "page_size" in query.shape,
    );
    const looked = new Set<string>(lists.map(([name]) => name));
    expect(
      paged.map(({ name }) => name).filter((name) => !looked.has(name) && !small.includes(name)),
    ).toEqual([]);
  });

  const cases = lists.flatMap(([, exact, addresses]) => addresses.map((address) => ({ address, exact })));
  test.each(cases)("reads no table and little of its indexes: $address", async ({ address, exact }) => {
    for (const [who, key] of keys) {
      let next: string | null = "";
      // The first page, and those after it, which have a cursor.
      for (let page = 0; page < (long ? 3 : 2) && next !== null; page++) {
        const cursor: string = next === "" ? "" : `&cursor=${next}`;
        const scans = await explained.scansOf(async () => {
          const answer = await explained.service.call(key, "GET", `${address}${cursor}`);
          expect(answer.status).toBe(200);
          const body: { next_cursor?: string | null } = await answer.json();
          next = body.next_cursor ?? null;
        });
        expect(scans.length).toBeGreaterThan(0);
        expect({ who, page, wrong: wrong(scans, exact ? 500 : 5_000) }).toEqual({ who, page, wrong: [] });
      }
    }
  });
});

describe("A list that is asked for again and again", () => {
  let most: number | undefined;
  beforeAll(() => {
    const { options } = explained.service.context.store.pool;
    most = options.max;
    options.max = 1;
  });
  afterAll(() => {
    explained.service.context.store.pool.options.max = most ?? 20;
  });

  const cases = lists.flatMap(([, exact, addresses]) => addresses.map((address) => ({ address, exact })));
  // From the sixth time on PostgreSQL may keep one plan for everybody: the three of the third round are after it.
  test.each(cases)("is found as the first time: $address", async ({ address, exact }) => {
    for (let time = 1; time <= (long ? 7 : 3); time++) {
      for (const [who, key] of keys) {
        const scans = await explained.scansOf(() => explained.service.call(key, "GET", address));
        expect({ who, time, wrong: wrong(scans, exact ? 500 : 5_000) }).toEqual({ who, time, wrong: [] });
      }
    }
  });
});

test("Runs that retention deletes are read with what is below them, and no others", async () => {
  const { db } = explained.service.context.store;
  const runs = await db
    .selectFrom("executions")
    .select("id")
    .where("kind", "=", "pipeline")
    .limit(200)
    .execute();
  const roots = runs.map(({ id }) => id);
  const scans = await explained.scansOf(async () => {
    await sql`${heldTrees(roots)}`.execute(db);
    await db.transaction().execute((tx) => removeTrees(tx, new Map(roots.map((id) => [id, 1]))));
  });
  expect(scans.map(({ index }) => index)).toContain("executions_tree");
  expect(
    wrong(
      scans.filter(({ table }) => table === "executions"),
      500,
    ),
  ).toEqual([]);
});

describe("What retention deletes", () => {
  const rules = readRules({ runs: "1d", failed_runs: "1d", conversations: "1d", run_files: "1d", teams: {} });

  /** Deletes until something has gone. @returns what was read for that last portion, but for the conversations' own words */
  async function firstRemoval<P>(
    remove: (tx: Tx, by: RetentionRules, after: P | null) => Promise<Batch<P>>,
  ): Promise<readonly Scan[]> {
    const { db } = explained.service.context.store;
    let batch: Batch<P> = { removed: 0, fileIds: [], next: null };
    for (let portion = 0; portion < 500; portion++) {
      const scans = await explained.scansOf(() =>
        db.transaction().execute(async (tx) => {
          batch = await remove(tx, rules, batch.next);
        }),
      );
      if (batch.removed > 0) return scans;
      if (batch.next === null) break;
    }
    throw new Error("nothing was deleted");
  }

  test("is read by itself: runs", async () => {
    expect(wrong(await firstRemoval(removeRuns), 500)).toEqual([]);
  });

  test("is read by itself: conversations, beside all that is shared", async () => {
    await sql`update interactions set updated_at = created_at`.execute(explained.service.context.store.db);
    const scans = await firstRemoval(removeConversations);
    expect(scans.map(({ table }) => table)).toContain("artifacts");
    expect(wrong(scans, 500)).toEqual([]);
  });

  test("is read by itself: files of runs", async () => {
    await sql`
      insert into run_files (id, execution_id, name, media_type, size)
      select 'file_' || id, id, 'report.txt', 'text/plain', 10 from executions where kind = 'pipeline' limit 400`.execute(
      explained.service.context.store.db,
    );
    expect(wrong(await firstRemoval(removeRunFiles), 1_000)).toEqual([]);
  });
});

test("A look for what has ended reads nothing of what was indexed long ago", async () => {
  const { store } = explained.service.context;
  await store.pool.query("update search_progress set ended_at = now()");
  const scans = await explained.scansOf(() => indexBatch(store));
  expect(scans.map(({ table }) => table)).toContain("executions");
  expect(wrong(scans, 100)).toEqual([]);
});

test("A batch of what has ended reads no more for a long history behind and before it", async () => {
  const { store } = explained.service.context;
  await store.pool.query("update search_progress set ended_at = '-infinity', id = ''");
  for (let batch = 0; batch < 6; batch += 1) await indexBatch(store, 5_000);
  const { rows } = await store.pool.query<{ count: string }>("select count(*) from search_blocks");
  expect(Number(rows[0]?.count)).toBeGreaterThan(1_000);
  const scans = await explained.scansOf(() => indexBatch(store, 100));
  const read = scans.filter(({ table }) => table === "search_blocks" || table === "executions");
  expect(new Set(read.map(({ table }) => table)).size).toBe(2);
  expect(read.filter(({ how, rows }) => how.includes("Seq Scan") || rows > 1_000)).toEqual([]);
});

test("A few that have ended are found by themselves, however long the history is", async () => {
  const { store } = explained.service.context;
  for (let left = await indexBatch(store); left !== 0; left = await indexBatch(store));
  await sql`
    insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, finished_at)
    select id, 'pipeline', id, 0, ${flow}, ${historians.much}, 'done', '{}', now()
      from (values ('run_fresh1'), ('run_fresh2')) fresh (id)`.execute(store.db);
  let found: number | null = null;
  const scans = await explained.scansOf(async () => {
    found = await indexBatch(store);
  });
  expect(found).toBe(2);
  const read = scans.filter(({ table }) => table === "executions" || table === "interactions");
  expect(read.length).toBeGreaterThan(0);
  expect(wrong(read, 100)).toEqual([]);
});
