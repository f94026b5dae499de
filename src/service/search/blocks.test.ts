import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { findRuns } from "./history.ts";
import { indexBatch } from "./index-batch.ts";
import { enableSearch } from "./index-tables.ts";

let fresh: FreshStore;
beforeEach(async () => {
  fresh = await freshStore();
  await enableSearch(fresh.store);
});
afterEach(() => fresh.drop());

const owners = [
  { user: "ada", team: null },
  { user: "ada", team: "red" },
  { user: "bo", team: "red" },
  { user: "bo", team: null },
  { user: "cy", team: "blue" },
  { user: null, team: "blue" },
] as const;
type Owner = (typeof owners)[number];

let made: { id: string; owner: Owner; says: string }[];
beforeEach(() => {
  made = [];
});

/** Runs that have ended one after the other; each says its own name and what it is given. */
async function end(owner: Owner, says: string, count = 1): Promise<string[]> {
  const runs = Array.from({ length: count }, (_, at) => ({
    ...{ id: `run_${made.length + at}`, at: made.length + at, user_id: owner.user, team_id: owner.team },
    input: { name: `Sail ${made.length + at} out`, inputs: { cargo: says } },
  }));
  made.push(...runs.map(({ id }) => ({ id, owner, says })));
  await fresh.store.pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, team_id, state, input, finished_at)
     select id, 'pipeline', id, 0, 'flow', user_id, team_id, 'done', input,
            now() + at * interval '1 microsecond'
       from json_to_recordset($1) run (id text, at integer, user_id text, team_id text, input json)`,
    [JSON.stringify(runs)],
  );
  return runs.map(({ id }) => id);
}

const remove = (ids: readonly string[]) =>
  fresh.store.pool.query("delete from executions where id = any($1)", [ids]);

async function indexed(): Promise<void> {
  while ((await indexBatch(fresh.store)) !== 0);
}

interface Reader {
  readonly userId: string | null;
  readonly teamIds: readonly string[];
}

async function page(text: string, { userId, teamIds }: Reader, before: number | null, size: number) {
  const mayRead = sql<boolean>`(user_id = ${userId} or team_id = any(${teamIds}::text[]))`;
  const { found, next } = await findRuns(fresh.store, { text, userId, teamIds, mayRead, before, size });
  return { ids: found.map(({ id }) => id), next };
}

/** All pages, and what is done between two. */
async function walk(text: string, reader: Reader, size = 7, between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let before: number | null = null;
  do {
    const some = await page(text, reader, before, size);
    ids.push(...some.ids);
    before = some.next;
    await between();
  } while (before !== null);
  return ids;
}

const stored = async (text: string) =>
  (
    await fresh.store.pool.query(
      `select text from search_blocks where text like $1
        union all select texts::text from search_pending where texts::text like $1`,
      [`%${text}%`],
    )
  ).rows;
const blocks = async () =>
  (
    await fresh.store.pool.query<{ number: string; ids: string[]; user_id: string; team_id: string }>(
      "select number, ids, user_id, team_id from search_blocks order by number",
    )
  ).rows;

/** The same for the same seed. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe("a block", () => {
  it("has runs of one owner alone, many of them, and each once", async () => {
    for (let round = 0; round < 30; round += 1) {
      for (const owner of owners) await end(owner, "rope", 3);
      if (round % 7 === 0) await indexed();
    }
    await indexed();
    const rows = await blocks();
    expect(rows.length).toBeGreaterThan(owners.length * 4);
    for (const { ids, user_id, team_id } of rows) {
      for (const id of ids) {
        const owner = made.find((one) => one.id === id)?.owner;
        expect([owner?.user ?? "", owner?.team ?? ""]).toEqual([user_id, team_id]);
      }
    }
    const all = rows.flatMap(({ ids }) => ids);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length / rows.length).toBeGreaterThan(10);
  });

  it("is written as soon as enough has ended, one at a time as well", async () => {
    for (let round = 0; round < 40; round += 1) {
      await end(owners[0], "rope");
      await indexed();
    }
    expect((await blocks()).length).toBe(2);
    expect(await walk("rope", { userId: "ada", teamIds: [] })).toHaveLength(40);
  });
});

describe("what was deleted", () => {
  it("is gone from the index with its text, and what lay beside it is found", async () => {
    const kept = await end(owners[0], "kept", 20);
    const [gone = "", pending = ""] = [
      ...(await end(owners[0], "secret")),
      ...(await end(owners[0], "later")),
    ];
    await end(owners[0], "kept", 12);
    await end(owners[0], "pending");
    const last = made.at(-1)?.id ?? "";
    await indexed();
    expect((await blocks()).map(({ ids }) => ids.length)).toEqual([16, 16]);
    await remove([gone, last]);
    await indexed();
    expect([await stored("secret"), await stored("pending")]).toEqual([[], []]);
    expect((await blocks()).map(({ ids }) => ids.length)).toEqual([16, 15]);
    const all = await walk("sail", { userId: "ada", teamIds: [] });
    expect(all).toEqual(
      made
        .map(({ id }) => id)
        .filter((id) => id !== gone && id !== last)
        .toReversed(),
    );
    expect(all).toEqual(expect.arrayContaining([pending, ...kept]));
  });

  it("takes its whole block with it where nothing of that is left", async () => {
    const ids = await end(owners[1], "rope", 40);
    await indexed();
    await remove(ids.slice(0, 32));
    await indexed();
    expect(await blocks()).toEqual([]);
    expect(await walk("rope", { userId: null, teamIds: ["red"] })).toEqual(ids.slice(32).toReversed());
  });

  it.each(["latest", "soonest"])(
    "goes also from a block whose members were indexed in another order than they ended in (%s)",
    async (which) => {
      const underWay = await fresh.store.pool.connect();
      try {
        // What ends while it is open may have ended before what is indexed by then.
        await underWay.query("begin; select now()");
        const newer = [...(await end(owners[0], "kept", 14)), ...(await end(owners[0], "latest"))];
        await indexBatch(fresh.store);
        const older = await end(owners[0], "soonest");
        await fresh.store.pool.query(
          `update executions set finished_at = (select min(finished_at) from executions) - interval '100 ms'
            where id = any($1)`,
          [older],
        );
        await indexBatch(fresh.store);
        expect(await blocks()).toHaveLength(1);
        await remove(
          [...newer, ...older].filter((id) => made.some((run) => run.id === id && run.says === which)),
        );
        await indexBatch(fresh.store);
        expect(await stored(which)).toEqual([]);
        expect(await stored("kept")).not.toEqual([]);
      } finally {
        await underWay.query("rollback");
        underWay.release();
      }
    },
  );

  it("goes also where it is deleted while its text is being read for the index", async () => {
    await end(owners[0], "secret", 16);
    const deleting = await fresh.store.pool.connect();
    try {
      await deleting.query("begin");
      await deleting.query("delete from executions");
      await indexBatch(fresh.store);
      expect(await stored("secret")).not.toEqual([]);
      await deleting.query("commit");
    } finally {
      deleting.release();
    }
    await indexed();
    expect(await stored("secret")).toEqual([]);
  });
});

describe("a walk through blocks", () => {
  const readers: readonly Reader[] = [
    { userId: "ada", teamIds: [] },
    { userId: "bo", teamIds: ["red"] },
    { userId: null, teamIds: ["blue"] },
    { userId: "cy", teamIds: ["red", "blue"] },
  ];
  const words = ["anchor", "barrel", "capstan", "rope"];

  const seeds = [...Array(process.env.WHEELHOUSE_LONG === "1" ? 40 : 1).keys()];
  it.each(seeds)("finds what the plainest scan finds, in its order (%i)", async (seed) => {
    const random = chance(seed);
    const one = <T>(of: readonly [T, ...T[]] | readonly T[]): T => of[random(of.length)] as T;
    const deleted = new Set<string>();
    const something = async () => {
      for (let times = random(12); times >= 0; times -= 1) {
        await end(one(owners), `${one(words)} ${one(words)}`, 1 + random(random(3) === 0 ? 60 : 4));
      }
      const some = made.filter(() => random(12) === 0).map(({ id }) => id);
      for (const id of some) deleted.add(id);
      await remove(some);
      // As if much of others had ended meanwhile.
      if (random(2) === 0) {
        await fresh.store.pool.query("select setval('search_numbers', nextval('search_numbers') + $1)", [
          one([1, 500, 5_000, 70_000]),
        ]);
      }
      await indexBatch(fresh.store);
    };
    for (let times = 0; times < 15; times += 1) await something();
    await indexed();
    for (const reader of readers) {
      const word = one(words);
      const begun = made.filter(
        ({ owner, says }) =>
          says.includes(word) &&
          ((owner.user !== null && owner.user === reader.userId) ||
            (owner.team !== null && reader.teamIds.includes(owner.team))),
      );
      const expected = begun.map(({ id }) => id).filter((id) => !deleted.has(id));
      expect(await walk(word, reader, 1 + random(40))).toEqual(expected.toReversed());
      const met = await walk(word, reader, 1 + random(40), something);
      const left = expected.toReversed().filter((id) => !deleted.has(id) || met.includes(id));
      expect(met).toEqual(left);
      await indexed();
    }
  });
});
