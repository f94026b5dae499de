import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashPoints } from "../../testing/crash-points.ts";
import { ended, loseAllWorkers, testEngine } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { listTree, readLog, readSteps } from "../../testing/executions.ts";
import { type Script, startOf } from "../../testing/scripted-kind.ts";
import { Fenced } from "./engine-error.ts";
import { appendLog } from "./log-writes.ts";
import { recordSteps } from "./record-steps.ts";

const long = process.env.WHEELHOUSE_LONG === "1";
const tests = engineTests();
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wh-crash-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const script: Script = [
  { do: "think" },
  { do: "effect" },
  {
    do: "children",
    scripts: [
      [{ do: "effect" }, { do: "think" }],
      [{ do: "effect" }, { do: "wait", ms: 5 }],
    ],
  },
  { do: "think" },
  { do: "effect" },
  { do: "think" },
];
const lines = ["step 0", "step 1", "step 3", "step 4", "step 5", "done"];
/** Effects of one tree. */
const effects = 4;

test.each(crashPoints)(
  "S-02: a worker that is killed when it is at '%s' leaves runs that end, and can write nothing more",
  async (point) => {
    const { store } = tests.fresh;
    for (let round = 0; round < (long ? 2 : 1); round++) {
      const ledger = join(folder, `${point.replaceAll(" ", "-")}-${round}`);
      const engine = testEngine(store, {});
      const ids = Array.from({ length: 6 }, (_, index) => `${point}-${round}-${index}`);
      const first = await tests.workerProcess({ ledger, concurrency: 3, diesAt: point });
      const gone = once(first, "exit");
      await Promise.all(ids.map((id) => engine.start(store.db, startOf(id, script))));
      expect(await gone).toEqual([null, "SIGKILL"]);
      const held = await store.pool.query<{ id: string; epoch: number }>(
        "select id, epoch from executions where state = 'running'",
      );
      const over = await store.pool.query(
        "select id, finished_at from executions where finished_at is not null",
      );
      if (!long) await loseAllWorkers(store);
      const second = await tests.workerProcess({ ledger, concurrency: 3 });
      for (const id of ids) expect(await ended(store, id)).toMatchObject({ state: "done" });
      for (const id of ids) expect(await readLog(store.db, id)).toEqual(lines);
      for (const row of over.rows) {
        expect((await ended(store, row.id)).finishedAt).toEqual(row.finished_at);
      }
      const done = (await readFile(ledger, "utf8"))
        .split("\n")
        .filter((line) => line.startsWith(`${point}-${round}-`));
      expect(new Set(done).size).toBe(ids.length * effects);
      // Only what was cut off between its effect and its record is there again: at most one for each place.
      expect(done.length - ids.length * effects).toBeLessThanOrEqual(3);
      for (const id of ids) expect(await listTree(store.db, id)).toHaveLength(3);
      // What the dead one might still have on its way, should it only have looked dead.
      for (const { id, epoch } of held.rows) {
        const before = [await ended(store, id), await readLog(store.db, id), await readSteps(store.db, id)];
        const late = { state: "done", output: 1, error: null, wakeAt: null, childId: null } as const;
        const claim = { id, epoch };
        const write = { claim, steps: [{ key: "late", ...late }], lines: ["late"], rows: [] };
        await expect(recordSteps(store.db, write)).rejects.toThrow(Fenced);
        await expect(appendLog(store.db, claim, ["late"])).rejects.toThrow(Fenced);
        expect([await ended(store, id), await readLog(store.db, id), await readSteps(store.db, id)]).toEqual(
          before,
        );
      }
      second.kill("SIGKILL");
    }
  },
  long ? 600_000 : 180_000,
);
