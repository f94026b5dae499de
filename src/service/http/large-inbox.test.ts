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
  await pool().query("delete from approvals");
});

/**
 * Questions that Ada has answered, the newest first: calls whose arguments she edited, and forms of servers that she filled in, in
 * turn.
 */
async function addAnswered(word: string, count: number, answered: string) {
  const person = [word];
  await pool().query(
    "insert into agents (id, owner_id, name, model_name) values ($1, 'user_ada', $1, 'm')",
    person,
  );
  await pool().query(
    `insert into interactions (id, agent_id, execution_id, user_id, name, type, state)
     values ($1, $1, $1, 'user_ada', $1, 'api', 'completed')`,
    person,
  );
  const definition = {
    ...{
      name: "write_file",
      description: "Writes",
      parameters: { type: "object" },
      server: null,
      link: null,
    },
    ...{ question: awkward, details: "d".repeat(1_000), fields: [] },
  };
  await pool().query(
    `insert into approvals (id, kind, state, execution_id, step_key, interaction_id, message_seq, part_id, agent_id, user_id,
                            tool_call_id, definition, definition_hash, arguments, who, lapses_at, ended_at, answer,
                            answered_at, answered_by, edited_arguments, form_values)
     select $1 || '_' || at, case when at % 2 = 1 then 'tool_call' else 'server' end, 'approved', $1, 'ask ' || at, $1, 2, 'part',
            $1, 'user_ada', 'write_file', $3, 'hash', json_build_object('a', repeat('🙂', 400)), 'person', now(), ended,
            case when at % 2 = 1 then 'approve_edited' else 'approve' end, ended, 'user_ada',
            case when at % 2 = 1 then $4 end, case when at % 2 = 0 then json_build_object('field', $4::text) end
       from generate_series(1, $2::integer) as at cross join lateral (select now() - at * interval '1 s' as ended) times`,
    [word, count, JSON.stringify(definition), answered],
  );
}

const awkward = '🙂é"\\\n';
const list = "/inbox?state=answered&page_size=100";
const named = (word: string, count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => `${word}_${first + at}`);
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

describe("a long list of answered questions", () => {
  test("S-281: is answered whole, to each encoding", async () => {
    const answered = awkward.repeat(5_000);
    await addAnswered("whole", 40, answered);
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(list, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      const { items, next_cursor } = await answer.json();
      expect(ids(items)).toEqual(named("whole", 40));
      expect(next_cursor).toBeNull();
      expect(items[38].answer).toMatchObject({ answer: "approve_edited", arguments_text: answered });
      expect(items[39].answer).toMatchObject({ answer: "approve", values: { field: answered } });
      for (const one of [items[38], items[39]]) {
        const { tool, ...shown } = one;
        const { item } = await (await get(`/inbox/${one.id}`)).json();
        expect(item).toMatchObject({ ...shown, tool });
        expect([...one.arguments_preview]).toHaveLength(300);
        expect(item.arguments_text.startsWith(one.arguments_preview)).toBe(true);
      }
    }
  });

  test("S-281: has pages that follow each other", async () => {
    await addAnswered("paged", 50, "p".repeat(50_000));
    const paged = "/inbox?state=answered&page_size=30";
    const first = await (await get(paged)).json();
    expect(ids(first.items)).toEqual(named("paged", 30));
    const rest = await (await get(`${paged}&cursor=${first.next_cursor}`)).json();
    expect(ids(rest.items)).toEqual(named("paged", 20, 31));
    expect(rest.next_cursor).toBeNull();
  });

  test("S-281: is 304 until what it shows of one of them is another", async () => {
    await addAnswered("tagged", 20, "p".repeat(50_000));
    let { tag } = await tagNow(list);
    expect((await tagNow(list, tag)).status).toBe(304);
    const changes = [
      "update approvals set edited_arguments = '{}' where id = 'tagged_7'",
      `update approvals set form_values = '{"field": "short"}' where id = 'tagged_8'`,
      "update interactions set name = 'Another' where id = 'tagged'",
      "update agents set name = 'Another' where id = 'tagged'",
      "update users set first_name = 'Augusta' where id = 'user_ada'",
    ];
    for (const change of changes) {
      await pool().query(change);
      const now = await tagNow(list, tag);
      expect([change, now.status]).toEqual([change, 200]);
      expect((await tagNow(list, now.tag)).status).toBe(304);
      tag = now.tag;
    }
  });

  test("S-281: is read from the database only as fast as the client takes it", async () => {
    await addAnswered("huge", 100, "y".repeat(240_000));
    const text = await readAsTaken(list, "from approvals where id = looked_id", 90);
    expect(JSON.parse(text).items).toHaveLength(100);
  });
});

test("a short list of answered questions has its length", async () => {
  await addAnswered("short", 4, "Fine.");
  const answer = await get(list, { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect(ids((await answer.json()).items)).toEqual(named("short", 4));
});
