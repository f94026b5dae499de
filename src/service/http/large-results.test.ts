import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, tagNow, readAsTaken } = largeAnswers(() => service);

/** Results of one agent of Ada's by one rubric, the newest first, each of a conversation of its own. */
async function addResults(word: string, count: number, rationale: string, criteria = 1) {
  const one = { name: "Kind", type: "other", priority: "needs_review", result: "success", rationale };
  const result = {
    ...{ summary: "Fine.", sentiment: null, call_successful: "success", data_results: [], model_name: "m" },
    criteria_results: Array.from({ length: criteria }, (_, at) => ({ ...one, id: `crit_${at}` })),
  };
  const values = [word];
  await pool().query(
    "insert into agents (id, owner_id, name, model_name) values ($1, 'user_ada', $1, 'm')",
    values,
  );
  await pool().query("insert into evaluations (id, owner_id, name) values ($1, 'user_ada', $1)", values);
  await pool().query(
    `insert into interactions (id, agent_id, execution_id, user_id, name, type, state)
     select $1 || '_' || at, $1, $1 || '_' || at, 'user_ada', $1, 'api', 'completed' from generate_series(1, $2::integer) as at`,
    [word, count],
  );
  await pool().query(
    `insert into evaluation_results
       (id, evaluation_id, agent_id, interaction_id, user_id, status, grade, tags, result, created_at, finished_at)
     select $1 || '_' || at, $1, $1, $1 || '_' || at, 'user_ada', 'completed', 'pass', '["FINE"]', $3,
            now() - at * interval '1 s', now() from generate_series(1, $2::integer) as at`,
    [word, count, JSON.stringify(result)],
  );
}

const awkward = '🙂é"\\\n';
const named = (word: string, count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => `${word}_${first + at}`);
const ids = (results: readonly { readonly evaluation_id: string }[]) =>
  results.map(({ evaluation_id }) => evaluation_id);

const lists = [
  ["agent", (word: string) => `/agents/${word}/evaluations?`],
  ["rubric", (word: string) => `/evaluations/${word}/results?`],
] as const;

describe.each(lists)("a long list of evaluation results of one %s", (of, listOf) => {
  /** A word of this list alone. */
  const own = (word: string) => `${word}_${of}`;

  test("S-280: is answered whole, to each encoding", async () => {
    const word = own("whole");
    const rationale = awkward.repeat(500);
    await addResults(word, 60, rationale, 5);
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(`${listOf(word)}page_size=100`, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      const { evaluations, next_cursor } = await answer.json();
      expect(ids(evaluations)).toEqual(named(word, 60));
      expect(next_cursor).toBeNull();
      const { criteria_results, ...shown } = evaluations[59];
      expect(criteria_results).toHaveLength(5);
      expect(criteria_results[4]).toMatchObject({ id: "crit_4", rationale });
      expect(shown).toMatchObject({
        ...{ interaction_id: `${word}_60`, session_name: word, agent_id: word, applied_tags: ["FINE"] },
        ...{ rubric: { id: word, name: word }, grade: "pass", judged_by: "model" },
      });
      expect(shown.agent_name).toBe(of === "rubric" ? word : undefined);
    }
  });

  test("S-280: has pages that follow each other", async () => {
    const word = own("paged");
    await addResults(word, 80, "p".repeat(30_000));
    const first = await (await get(`${listOf(word)}page_size=50`)).json();
    expect(ids(first.evaluations)).toEqual(named(word, 50));
    const rest = await (await get(`${listOf(word)}page_size=50&cursor=${first.next_cursor}`)).json();
    expect(ids(rest.evaluations)).toEqual(named(word, 30, 51));
    expect(rest.next_cursor).toBeNull();
  });

  test("S-280: is 304 until one of them, its conversation, its rubric or its agent is another", async () => {
    const word = own("tagged");
    await addResults(word, 20, "p".repeat(50_000));
    const list = listOf(word);
    let { tag } = await tagNow(list);
    expect((await tagNow(list, tag)).status).toBe(304);
    const changes = [
      `update evaluation_results set grade = 'needs_review' where id = '${word}_7'`,
      `update interactions set name = 'Another' where id = '${word}_8'`,
      `update evaluations set name = 'Another' where id = '${word}'`,
      `update agents set alias = '${word}_alias' where id = '${word}'`,
      ...(of === "rubric" ? [`update agents set name = 'Another' where id = '${word}'`] : []),
    ];
    for (const change of changes) {
      await pool().query(change);
      const now = await tagNow(list, tag);
      expect([change, now.status]).toEqual([change, 200]);
      expect((await tagNow(list, now.tag)).status).toBe(304);
      tag = now.tag;
    }
    // What no result shows.
    await pool().query(`update interactions set input_tokens = 7 where id = '${word}_8'`);
    expect((await tagNow(list, tag)).status).toBe(304);
  });

  test("S-280: is read from the database only as fast as the client takes it", async () => {
    const word = own("huge");
    await addResults(word, 100, "y".repeat(4_000), 60);
    const text = await readAsTaken(`${listOf(word)}page_size=100`, "as session_name", 90);
    expect(JSON.parse(text).evaluations).toHaveLength(100);
  });

  test("S-280: leaves out results of what is deleted while it is read", async () => {
    const word = own("gone");
    await addResults(word, 100, "y".repeat(10_000), 15);
    const answer = await get(`${listOf(word)}page_size=100`, { "accept-encoding": "identity" });
    await pool().query(
      "update interactions set deleted_at = now() where id = any (select $1 || '_' || at from generate_series(71, 100) at)",
      [word],
    );
    expect(ids((await answer.json()).evaluations)).toEqual(named(word, 70));
  });
});

test("a short list of results has its length", async () => {
  await addResults("short", 3, "Fine.");
  for (const [, listOf] of lists) {
    const answer = await get(listOf("short"), { "accept-encoding": "identity" });
    expect(answer.headers.get("content-length")).not.toBeNull();
    expect(ids((await answer.json()).evaluations)).toEqual(named("short", 3));
  }
});
