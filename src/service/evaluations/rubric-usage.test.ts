import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { historians, seedHistory } from "../../testing/history.ts";
import { createRubricUsages, type RubricUsages } from "./rubric-usage.ts";

let fresh: FreshStore;
let usages: RubricUsages;
let now = 0;
beforeAll(async () => {
  fresh = await freshStore();
  await seedHistory(fresh.store.db, { runs: 1, conversations: 200, artifacts: 1, halves: true });
  usages = createRubricUsages(() => now);
}, 60_000);
afterAll(() => fresh.drop());

const { rubric } = historians;
const sessions = async () => (await usages(fresh.store.db, [rubric])).get(rubric)?.sessions;

/** A result of the rubric more, of a conversation that it has not judged, so long ago. */
async function judge(ago: string): Promise<void> {
  await sql`insert into evaluation_results (id, evaluation_id, agent_id, interaction_id, turn, created_at)
    select 'more_' || id, ${rubric}, agent_id, id, 2, now() - ${ago}::interval from interactions
     where not exists (select from evaluation_results
                        where interaction_id = interactions.id and evaluation_id = ${rubric})
     order by id limit 1`.execute(fresh.store.db);
}

const setDeleted = (is: boolean) =>
  sql`update interactions set deleted_at = case when ${is}::boolean then now() end
       where id = (select interaction_id from evaluation_results where evaluation_id = ${rubric}
                    order by created_at desc limit 1)`.execute(fresh.store.db);

test("a newer result and a deleted or restored conversation count at once, any other change a minute later", async () => {
  const before = (await sessions()) ?? 0;
  expect(before).toBeGreaterThan(0);
  await judge("5 days");
  now += 59_000;
  expect(await sessions()).toBe(before);
  now += 2_000;
  expect(await sessions()).toBe(before + 1);
  await judge("0 s");
  expect(await sessions()).toBe(before + 2);
  await setDeleted(true);
  expect(await sessions()).toBe(before + 1);
  await setDeleted(false);
  expect(await sessions()).toBe(before + 2);
});

test("what nobody has judged by is counted as nothing", async () => {
  expect((await usages(fresh.store.db, ["rub_none"])).get("rub_none")).toEqual({
    ...{ days: 30, sessions: 0, agents: 0, lastAt: null },
  });
});
