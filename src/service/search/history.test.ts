import type { KyselyPlugin } from "kysely";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { findRuns } from "./history.ts";
import { indexBatch } from "./index-batch.ts";
import { enableSearch } from "./index-tables.ts";

const count = 4;
const characters = 1_500_000;

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  await enableSearch(fresh.store);
  await fresh.store.pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, finished_at)
     select 'run_' || n, 'pipeline', 'run_' || n, 0, 'flow', 'ada', 'done',
            json_build_object('name', 'Sail', 'inputs', json_build_object('cargo', repeat('rope ', $2::integer / 5))),
            now() + n * interval '1 second'
       from generate_series(1, $1::integer) n`,
    [count, characters],
  );
  while ((await indexBatch(fresh.store)) !== 0);
});
afterAll(() => fresh.drop());

/** @param onLook called before some of them are looked through */
async function find(before: number | null, onLook = () => {}) {
  let longest = 0;
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      longest = Math.max(longest, JSON.stringify(result.rows).length);
      return result;
    },
  };
  const page = await findRuns(
    { db: fresh.store.db.withPlugin(watch) },
    {
      ...{ text: "rope", userId: "ada", teamIds: [], before, size: 10 },
      get mayRead() {
        onLook();
        return sql<boolean>`true`;
      },
    },
  );
  return { ...page, longest };
}

it("S-347: of long runs no more are in memory at a time than may be", async () => {
  const { found, next, longest } = await find(null);
  expect([found.length, next]).toEqual([count, null]);
  expect(longest).toBeLessThan(3 * characters);
});

it("S-347: a search through long runs that has taken seconds answers what it has, and goes on where it was", async () => {
  // Behind the real one: what was noted by it is past afterwards, and not to come.
  let now = -1e12;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const seen: string[][] = [];
  for (let before: number | null = null; ; ) {
    const { found, next, searchedTo } = await find(before, () => {
      now += 10_000;
    });
    seen.push(found.map(({ id }) => id));
    expect(searchedTo === null).toBe(next === null);
    if (next === null) break;
    before = next;
  }
  expect(Math.max(...seen.map(({ length }) => length))).toBe(1);
  expect(seen.flat()).toEqual([4, 3, 2, 1].map((n) => `run_${n}`));
});
