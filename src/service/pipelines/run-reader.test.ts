import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { createGenerations, type Generations } from "../store/generation.ts";
import type { PromptQuery, Store } from "../store/store.ts";
import { createRunReader, type RunReader } from "./run-reader.ts";

/** What one process remembers of runs, and how often it has read any. */
interface Process {
  readonly generations: Generations;
  readonly reader: RunReader;
  readonly reads: () => number;
  /** Keeps answers about runs on their way, once the database has given them, until they are let go. */
  hold(): { readonly given: Promise<void>; readonly go: () => void };
}

function processOn(store: Store): Process {
  let reads = 0;
  let held: { given: () => void; until: Promise<void> } | null = null;
  const watched: Store = {
    ...store,
    async prompt<R extends pg.QueryResultRow>(query: PromptQuery) {
      if (query.name !== "run_heads") return await store.prompt<R>(query);
      reads += 1;
      const rows = await store.prompt<R>(query);
      held?.given();
      await held?.until;
      return rows;
    },
  };
  const generations = createGenerations(watched);
  return {
    generations,
    reader: createRunReader(watched, generations),
    reads: () => reads,
    hold() {
      let go = () => {};
      const given = new Promise<void>((given) => {
        const until = new Promise<void>((resolve) => {
          go = resolve;
        });
        held = { given, until };
      });
      return { given, go };
    },
  };
}

let fresh: FreshStore;
let other: Store;
beforeAll(async () => {
  fresh = await freshStore();
  other = await fresh.another();
});
afterAll(async () => {
  await other.close();
  await fresh.drop();
});

let here: Process;
let there: Process;
beforeEach(async () => {
  await sql`truncate executions cascade`.execute(fresh.store.db);
  await sql`
    insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, finished_at)
    select 'run_' || n, 'pipeline', 'run_' || n, 0, 'flow', 'user_ada', 'done', '{}', now()
      from generate_series(1, 6000) n`.execute(fresh.store.db);
  here = processOn(fresh.store);
  there = processOn(other);
  for (const { generations } of [here, there]) await generations.current();
});

const remove = (from: number, to = from) =>
  sql`
  delete from executions where substr(id, 5)::integer between ${from} and ${to}`.execute(fresh.store.db);
const idOf = async ({ reader }: Process, id: string) => (await reader.head(id))?.id;

describe("an ended run that a process remembers", () => {
  it("is gone for every process when it was deleted, and those that stay are not read again", async () => {
    for (const process of [here, there]) {
      for (const id of ["run_1", "run_2", "run_3"]) expect(await idOf(process, id)).toBe(id);
    }
    const before = await here.generations.current();
    await remove(1);
    await remove(3);
    for (const process of [here, there]) {
      const reads = process.reads();
      expect(await idOf(process, "run_2")).toBe("run_2");
      expect(process.reads()).toBe(reads);
      expect(await idOf(process, "run_1")).toBeUndefined();
      expect(await idOf(process, "run_3")).toBeUndefined();
    }
    // Nothing that is remembered of callers has become wrong.
    expect((await here.generations.current()).generation).toBe(before.generation);
  });

  it("is gone also for a process that has not looked for many deletions", async () => {
    expect(await idOf(here, "run_1")).toBe("run_1");
    for (let number = 1; number <= 70; number += 1) await remove(number);
    expect(await idOf(here, "run_1")).toBeUndefined();
    expect(await sql`select from removals`.execute(fresh.store.db)).toHaveProperty("rows.length", 64);
  });

  it("is gone when more went at once than are named", async () => {
    expect(await idOf(here, "run_1")).toBe("run_1");
    expect(await idOf(here, "run_5999")).toBe("run_5999");
    await remove(1, 5_500);
    expect(await idOf(here, "run_1")).toBeUndefined();
    expect(await idOf(here, "run_5999")).toBe("run_5999");
  });

  it("is not remembered where it was deleted, and that was told, while its row was on the way", async () => {
    const { given, go } = here.hold();
    const reading = idOf(here, "run_1");
    await given;
    await remove(1);
    await here.generations.current();
    go();
    expect(await reading).toBe("run_1");
    expect(await idOf(here, "run_1")).toBeUndefined();
  });

  it("stays remembered when a deletion is rolled back", async () => {
    expect(await idOf(here, "run_1")).toBe("run_1");
    const deletion = fresh.store.db.transaction().execute(async (tx) => {
      await sql`delete from executions where id = 'run_1'`.execute(tx);
      throw new Error("no");
    });
    await expect(deletion).rejects.toThrow("no");
    const reads = here.reads();
    expect(await idOf(here, "run_1")).toBe("run_1");
    expect(here.reads()).toBe(reads);
  });
});
