import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { historians, seedHistory } from "../../testing/history.ts";
import { startService, type TestService } from "../../testing/service.ts";

/** The first person sees more than is looked through for one page. */
const size =
  process.env.WHEELHOUSE_LONG === "1"
    ? { runs: 36_000, conversations: 12_000, artifacts: 18_000 }
    : { runs: 12_000, conversations: 4_000, artifacts: 9_000 };
const { agent, much, little, smallTeam, flow, rubric } = historians;

let service: TestService;
const keys: { name: string; key: string; own: (table: string) => RawBuilder<unknown> }[] = [];
beforeAll(async () => {
  service = await startService({ work: false });
  const { db } = service.context.store;
  await seedHistory(db, size);
  // A third of all are at the same microsecond as others.
  await sql`update executions set created_at = date_trunc('hour', created_at) where log_count = 3 and id < 'run_5'`.execute(
    db,
  );
  // Words of half of all that are rare in the other half: in the first five of it, or in one of fifty.
  await sql`
    update artifacts set filename = case when place > count / 2 then 'few some ' when place <= 5 then 'few late '
                                         when place % 50 = 0 then 'some late ' else 'late ' end
                                    || case when place > count - 5 then 'late ' else '' end || filename
      from (select id, row_number() over (order by created_at desc) as place, count(*) over () from artifacts) placed
     where placed.id = artifacts.id`.execute(db);
  for (const id of [much, little]) {
    const key = await service.makeKey({ kind: "person", id });
    const teams = sql`select team_id from team_members where user_id = ${id}`;
    const own = (table: string) =>
      sql`(${sql.ref(`${table}.user_id`)} = ${id} or ${sql.ref(`${table}.team_id`)} in (${teams}))`;
    keys.push({ name: id, key, own });
  }
  const key = await service.makeKey({ kind: "team", id: smallTeam });
  keys.push({ name: smallTeam, key, own: (table) => sql`${sql.ref(`${table}.team_id`)} = ${smallTeam}` });
}, 300_000);
afterAll(() => service.stop());

interface Page {
  readonly ids: readonly string[];
  readonly next: string | null;
}

async function readPage(key: string, address: string, cursor: string | null): Promise<Page> {
  const answer = await service.call(key, "GET", cursor === null ? address : `${address}&cursor=${cursor}`);
  expect(answer.status).toBe(200);
  const { next_cursor: next, ...body }: { next_cursor: string | null } = await answer.json();
  const [rows = []] = Object.values(body) as Record<string, string>[][];
  return { ids: rows.map((row) => row.run_id ?? row.evaluation_id ?? row.id ?? ""), next };
}

/** Every id of the list, page by page. @param between after each page */
async function walk(key: string, address: string, between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await readPage(key, `${address}&page_size=100`, cursor);
    ids.push(...page.ids);
    cursor = page.next;
    await between();
  } while (cursor !== null);
  return ids;
}

/** What a list must be, by the plainest query. */
async function plainly(table: string, where: RawBuilder<unknown>): Promise<string[]> {
  const from = sql.table(table);
  const { rows } = await sql<{ id: string }>`
    select id from ${from} where ${where} order by created_at desc, id desc`.execute(
    service.context.store.db,
  );
  return rows.map(({ id }) => id);
}

const isRun = sql`kind = 'pipeline'`;
const hasText = (
  text: string,
) => sql`(strpos(lower(id), lower(${text})) > 0 or strpos(lower(input ->> 'name'), lower(${text})) > 0
  or exists (select from json_each_text(input -> 'inputs') one where strpos(lower(one.value), lower(${text})) > 0))`;

const runLists: readonly (readonly [string, RawBuilder<unknown>])[] = [
  ["/runs?state=FAILED", sql`state = 'failed'`],
  ["/runs?state=TERMINATED,FAILED", sql`state in ('failed', 'terminated')`],
  ["/runs?state=DONE,FAILED&created_before=2100-01-01T00:00:00Z", sql`state in ('failed', 'done')`],
  ["/runs?state=RUNNING", sql`state = 'waiting'`],
  ["/runs?state=QUEUED", sql`false`],
  [`/runs?saved_item_id=${flow}`, sql`subject_id = ${flow}`],
  [`/runs?saved_item_id=${flow}&state=FAILED`, sql`subject_id = ${flow} and state = 'failed'`],
  ["/runs?search=needle", hasText("needle")],
  ["/runs?search=THIMBLE", hasText("thimble")],
  ["/runs?search=report%2031", hasText("report 31")],
  ["/runs?search=haystack", sql`false`],
  ["/runs?search=run_a1b", hasText("run_a1b")],
  ["/runs?search=customer", sql`false`],
  ["/runs?search=zq", sql`false`],
  ["/runs?search=say%20%22a%5C%22", hasText('say "a\\"')],
  ["/runs?search=%22c%22%20:%20%22say", hasText('"c" : "say')],
  ["/runs?search=100%25_x", hasText("100%_x")],
  ["/runs?search=%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82", hasText("привет")],
];

describe("A walk over all pages of a list", () => {
  beforeAll(async () => {
    // What only a few have: texts of all kinds, and one that is not over.
    await sql`
      insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, created_at, started_at, finished_at)
      select 'run_odd' || n, 'pipeline', 'run_odd' || n, 0, 'flow_h1', ${much}, case when n % 2 = 0 then ${smallTeam} end,
             case when n > 4 then 'waiting' else 'done' end,
             json_build_object('name', 'Odd', 'inputs', json_build_object('a', text, 'b', json_build_object('c', text))),
             now() - n * interval '40 days', now(), case when n > 4 then null else now() end
        from unnest(array['say "a\\"', 'it is 100%_x sure', 'Привет, мир', 'a thimble', 'привет', 'another THIMBLE'])
             with ordinality one (text, n)`.execute(service.context.store.db);
  });

  test.each(runLists)("of runs has each once and in order: %s", async (address, where) => {
    for (const { key, own } of keys) {
      expect(await walk(key, address)).toEqual(
        await plainly("executions", sql`${isRun} and ${own("executions")} and ${where}`),
      );
    }
  });

  test("finds the same whatever is remembered of how rare a text is", async () => {
    const { db } = service.context.store;
    const found = async () => {
      for (const { key, own } of keys) {
        const runs = plainly("executions", sql`${isRun} and ${own("executions")} and ${hasText("marmot")}`);
        expect(await walk(key, "/runs?search=marmot")).toEqual(await runs);
      }
    };
    await found();
    // Too many for the index to be the way.
    await sql`
      insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, created_at, started_at, finished_at)
      select 'run_marmot' || n, 'pipeline', 'run_marmot' || n, 0, 'flow_h1', ${much}, case when n % 2 = 0 then ${smallTeam} end,
             'done', json_build_object('name', 'A marmot', 'inputs', '{}'::json), now() - n * interval '3 hours', now(), now()
        from generate_series(1, 1100) n`.execute(db);
    await found();
    await sql`delete from executions where id like 'run_marmot%' and id <> 'run_marmot7'`.execute(db);
    await found();
  });

  test("finds the same without an index of the texts, which not every database may have", async () => {
    await sql`drop index executions_text`.execute(service.context.store.db);
    for (const text of ["thimble", "haystack", "привет"]) {
      for (const { key, own } of keys) {
        const found = plainly("executions", sql`${isRun} and ${own("executions")} and ${hasText(text)}`);
        expect(await walk(key, `/runs?search=${encodeURIComponent(text)}`)).toEqual(await found);
      }
    }
  });

  test("of artifacts finds what is rare, frequent or nowhere, twice alike, each once and in order", async () => {
    for (const { name, key, own } of keys) {
      const found: Record<string, number> = {};
      for (const text of ["needle", "thimble", "report", "few", "some", "late", "haystack"]) {
        const plain = await plainly(
          "artifacts",
          sql`${own("artifacts")} and removed_at is null and strpos(lower(filename), ${text}) > 0`,
        );
        for (const list of ["/artifacts?", "/artifacts?sort_order=newest&"]) {
          const ids = await walk(key, `${list}search_query=${text}`);
          expect({ name, text, ids }).toEqual({ name, text, ids: plain });
        }
        for (const [order, all] of [
          ["newest", plain],
          ["oldest", plain.toReversed()],
        ] as const) {
          const { ids } = await readPage(
            key,
            `/artifacts?sort_order=${order}&search_query=${text}&page_size=20`,
            null,
          );
          expect({ name, text, order, ids }).toEqual({ name, text, order, ids: all.slice(0, 20) });
        }
        found[text] = plain.length;
      }
      expect({ name, found }).toMatchObject({ found: { haystack: 0 } });
      if (name === much) expect(Math.min(Number(found.thimble), Number(found.needle))).toBeGreaterThan(0);
    }
  });

  test("of conversations and results has each once and in order", async () => {
    const talk = (where: RawBuilder<unknown>) => ({ table: "interactions", where });
    const result = (where: RawBuilder<unknown>) => ({ table: "evaluation_results", where });
    const ofAgent = sql`agent_id = ${agent}`;
    const stopped = sql`execution_id in (select id from executions where state = 'terminated')`;
    const has = (text: string) => sql`(strpos(lower(name), ${text}) > 0
      or exists (select from messages where interaction_id = interactions.id and strpos(lower(content), ${text}) > 0))`;
    const lists: [string, { table: string; where: RawBuilder<unknown> }][] = [
      [`/agents/${agent}/sessions?`, talk(ofAgent)],
      [`/agents/${agent}/sessions?state=failed`, talk(sql`${ofAgent} and state = 'failed'`)],
      [`/agents/${agent}/sessions?state=stopped`, talk(sql`${ofAgent} and ${stopped}`)],
      [`/agents/${agent}/sessions?state=completed,failed`, talk(ofAgent)],
      [`/agents/${agent}/sessions?type=console`, talk(sql`${ofAgent} and type = 'console'`)],
      [`/agents/${agent}/sessions?search=this+is`, talk(sql`${ofAgent} and ${has("this is")}`)],
      [`/agents/${agent}/sessions?search=thimble`, talk(sql`${ofAgent} and ${has("thimble")}`)],
      [`/agents/${agent}/evaluations?`, result(ofAgent)],
      [
        `/agents/${agent}/evaluations?grade=needs_attention`,
        result(sql`${ofAgent} and grade = 'needs_attention'`),
      ],
      [`/agents/${agent}/evaluations?tag=slow`, result(sql`${ofAgent} and tags ? 'slow'`)],
      [`/evaluations/${rubric}/results?`, result(sql`evaluation_id = ${rubric}`)],
    ];
    for (const [address, { table, where }] of lists) {
      for (const { key, own } of keys) {
        expect(await walk(key, address), address).toEqual(
          await plainly(table, sql`${where} and ${own(table)}`),
        );
      }
    }
  });

  test("shows what was there when it began, once and in order, whatever comes meanwhile", async () => {
    const { db } = service.context.store;
    for (const { key, own } of keys) {
      const before = await plainly("executions", sql`${isRun} and ${own("executions")}`);
      let come = 0;
      const walked = await walk(key, "/runs?", async () => {
        // The person's and the team's: newer than all, and at the very time of the oldest.
        await sql`
          insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, input, created_at)
          select id, 'pipeline', id, 0, 'flow_h1', ${much}, ${smallTeam}, '{"name":"New","inputs":{}}', at
            from (select 'run_new' || gen_random_uuid() as id, at from unnest(array[now(), now() + interval '1 hour']) at) one`.execute(
          db,
        );
        come++;
        if (come > 500) throw new Error("the walk does not end");
      });
      expect(walked).toEqual(before);
      await sql`delete from executions where id like 'run_new%'`.execute(db);
    }
  });
});

test("Without the right to the extension the texts have no index, and nothing else is different", async () => {
  const { db } = service.context.store;
  await db.connection().execute(async (one) => {
    await sql`drop extension pg_trgm cascade`.execute(one);
    await sql`create role nobody_much`.execute(one);
    await sql`set role nobody_much`.execute(one);
    await sql`select index_run_texts()`.execute(one);
    await sql`reset role`.execute(one);
    const { rows } = await sql`select to_regclass('executions_text') as index`.execute(one);
    expect(rows).toEqual([{ index: null }]);
    // Whoever may have it later calls it again.
    await sql`select index_run_texts()`.execute(one);
    expect((await sql`select to_regclass('executions_text')::text as index`.execute(one)).rows).toEqual([
      { index: "executions_text" },
    ]);
    await sql`drop role nobody_much`.execute(one);
  });
});
