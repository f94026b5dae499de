import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, tagNow, readAsTaken } = largeAnswers(() => service);

beforeEach(async () => {
  await pool().query("update evaluations set deleted_at = now()");
});

/** Rubrics of Ada's, the newest first, with criteria of this prompt. */
async function addRubrics(word: string, count: number, prompt: string, criteria = 1) {
  const one = { id: "crit", name: "Kind", prompt, type: "other", priority: "needs_review" };
  const config = { criteria: Array.from({ length: criteria }, (_, at) => ({ ...one, id: `crit_${at}` })) };
  await pool().query(
    `insert into evaluations (id, owner_id, name, description, config, created_at)
     select $1 || '_' || at, 'user_ada', $1, $3, $4, now() - at * interval '1 s' from generate_series(1, $2::integer) as at`,
    [word, count, awkward, JSON.stringify(config)],
  );
}

const awkward = '🙂é"\\\n';
const list = "/evaluations?page_size=100";
const named = (word: string, count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => `${word}_${first + at}`);
const ids = (rubrics: readonly { readonly id: string }[]) => rubrics.map(({ id }) => id);

describe("a long list of rubrics", () => {
  test("S-279: is answered whole, to each encoding", async () => {
    const prompt = awkward.repeat(300);
    await addRubrics("whole", 30, prompt, 30);
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(list, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      const { evaluations, next_cursor } = await answer.json();
      expect(ids(evaluations)).toEqual(named("whole", 30));
      expect(next_cursor).toBeNull();
      const one = await (await get("/evaluations/whole_30")).json();
      expect(evaluations[29]).toEqual(one.evaluation);
      expect(one.evaluation.config.criteria[29].prompt).toBe(prompt);
    }
  });

  test("S-279: has pages that follow each other", async () => {
    await addRubrics("paged", 50, "p".repeat(50_000));
    const first = await (await get("/evaluations?page_size=30")).json();
    expect(ids(first.evaluations)).toEqual(named("paged", 30));
    const rest = await (await get(`/evaluations?page_size=30&cursor=${first.next_cursor}`)).json();
    expect(ids(rest.evaluations)).toEqual(named("paged", 20, 31));
    expect(rest.next_cursor).toBeNull();
  });

  test("S-279: is 304 until one of them is another or has judged", async () => {
    await addRubrics("tagged", 20, "p".repeat(50_000));
    const first = await tagNow(list);
    expect(first.status).toBe(200);
    expect((await tagNow(list, first.tag)).status).toBe(304);
    await pool().query("update evaluations set description = 'new' where id = 'tagged_7'");
    const second = await tagNow(list, first.tag);
    expect(second.status).toBe(200);
    await pool().query(
      `with agent as (insert into agents (id, owner_id, name, model_name) values ('judged', 'user_ada', 'J', 'm')),
            talk as (insert into interactions (id, agent_id, execution_id, user_id, name, type, state)
                     values ('judged', 'judged', 'judged', 'user_ada', 'Talk', 'api', 'completed'))
       insert into evaluation_results (id, evaluation_id, agent_id, interaction_id, status)
       values ('judged', 'tagged_3', 'judged', 'judged', 'completed')`,
    );
    const third = await tagNow(list, second.tag);
    expect(third.status).toBe(200);
    expect((await tagNow(list, third.tag)).status).toBe(304);
  });

  test("S-279: is read from the database only as fast as the client takes it", async () => {
    await addRubrics("huge", 100, "y".repeat(10_000), 30);
    const text = await readAsTaken(list, "join evaluations on evaluations.id = looked_id", 90);
    expect(JSON.parse(text).evaluations).toHaveLength(100);
  });

  test("S-279: leaves out what is deleted while it is read", async () => {
    await addRubrics("gone", 100, "y".repeat(10_000), 15);
    const answer = await get(list, { "accept-encoding": "identity" });
    await pool().query(
      "update evaluations set deleted_at = now() where id = any (select 'gone_' || at from generate_series(71, 100) at)",
    );
    expect(ids((await answer.json()).evaluations)).toEqual(named("gone", 70));
  });
});

test("a short list of rubrics has its length", async () => {
  await addRubrics("short", 3, "Be kind.");
  const answer = await get(list, { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect(ids((await answer.json()).evaluations)).toEqual(named("short", 3));
});
