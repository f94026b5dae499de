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
  await pool().query("update saved_items set removed_at = now()");
});

/** Flows of Ada's or of a team, which have no nodes, by name. */
async function addFlows(word: string, count: number, description: string, team: string | null = null) {
  await pool().query(
    `insert into saved_items (id, user_id, team_id, name, description, definition)
     select $1 || '_' || at, 'user_ada', $4, $1 || ' ' || to_char(at, 'fm0000'), $3, '{"nodes":[]}'
       from generate_series(1, $2::integer) as at`,
    [word, count, description, team],
  );
}

const awkward = '🙂é"\\\n';
const list = "/list_saved_items?user_id=user_ada";
const named = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}_${at + 1}`);
const ids = (flows: readonly { readonly saved_item_id: string }[]) =>
  flows.map(({ saved_item_id }) => saved_item_id);

describe("a long list of flows", () => {
  test("S-281: is answered whole, to each encoding", async () => {
    const description = awkward.repeat(3_000);
    await addFlows("whole", 40, description);
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(list, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      const { saved_items, ...more } = await answer.json();
      expect(more).toEqual({});
      expect(ids(saved_items)).toEqual(named("whole", 40));
      expect(saved_items[39]).toMatchObject({ name: "whole 0040", description });
    }
  });

  test("S-281: of thousands of short ones is answered whole", async () => {
    await addFlows("many", 2_500, "Short.");
    expect(ids((await (await get(list)).json()).saved_items)).toEqual(named("many", 2_500));
  });

  test("S-281: is 304 until one of them is another", async () => {
    await addFlows("tagged", 40, "p".repeat(20_000));
    const { tag } = await tagNow(list);
    expect((await tagNow(list, tag)).status).toBe(304);
    await pool().query("update saved_items set description = 'new' where id = 'tagged_7'");
    expect((await tagNow(list, tag)).status).toBe(200);
  });

  test("S-281: is read from the database only as fast as the client takes it", async () => {
    await addFlows("huge", 1_500, "y".repeat(20_000));
    const text = await readAsTaken(list, "join saved_items on saved_items.id = looked_id", 100);
    expect(JSON.parse(text).saved_items).toHaveLength(1_500);
  });

  test("S-287: leaves out what is moved to another team while it is read", async () => {
    await addFlows("moved", 600, "y".repeat(20_000), "team_harbor");
    const harbor = "/list_saved_items?project_id=team_harbor";
    const answer = await service.call(service.keys.grace, "GET", harbor, undefined, {
      "accept-encoding": "identity",
    });
    // Grace is in both teams.
    await pool().query(
      "update saved_items set team_id = 'team_annex' where name > 'moved 0500' and name like 'moved %'",
    );
    expect(ids((await answer.json()).saved_items)).toEqual(named("moved", 500));
  });
});

test("a short list of flows has its length", async () => {
  await addFlows("short", 3, "Short.");
  const answer = await get(list, { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect(ids((await answer.json()).saved_items)).toEqual(named("short", 3));
});
