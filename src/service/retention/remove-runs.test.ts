import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { hasBlockedQueries } from "../../testing/held-row.ts";
import { removeBy } from "../../testing/retention.ts";
import { retentionSuite } from "../../testing/retention-suite.ts";
import { until } from "../../testing/until.ts";
import { indexBatch } from "../search/index-batch.ts";

const {
  context,
  db,
  remove,
  put,
  talk,
  file,
  artifact,
  share,
  call,
  keep,
  runs,
  talks,
  bytes,
  count,
  crashAfter,
} = retentionSuite();

/** As the service does it, a moment after something has ended or was deleted. */
async function indexAll(): Promise<void> {
  while ((await indexBatch(context().store)) !== 0);
}

describe("without a word on retention", () => {
  it("nothing is ever deleted, however old", async () => {
    await put({ id: "run_old", days: 4_000 });
    await talk({ id: "int_old", days: 4_000 });
    await file("run_old", "file_of_old");
    expect(await remove({})).toEqual({ runs: 0, conversations: 0, run_files: 0, search_index: 0 });
    expect([await runs(), await talks()]).toEqual([["run_old", "turn_of_int_old"], ["int_old"]]);
    expect(await bytes("file_of_old")).toBe("file_of_old");
  });

  it("of one kind that kind stays: failed runs are not runs, and files are not runs", async () => {
    await put({ id: "run_done" });
    await put({ id: "run_stopped", state: "terminated" });
    await put({ id: "run_failed", state: "failed" });
    await talk({ id: "int_old" });
    expect(await remove({ runs: "90d" })).toMatchObject({ runs: 2, conversations: 0 });
    expect(await runs()).toEqual(["run_failed", "turn_of_int_old"]);
    expect(await remove({ failed_runs: "90d" })).toMatchObject({ runs: 1 });
  });
});

describe("runs", () => {
  it("go when their time is over, with steps, logs, files and what the search knows; younger ones stay", async () => {
    await put({ id: "run_old", days: 91, log: ["one", "two"] });
    await put({ id: "run_young", days: 89, log: ["one"] });
    await file("run_old", "file_of_old");
    await file("run_young", "file_of_young");
    for (const id of ["run_old", "run_young"]) {
      await sql`insert into steps (execution_id, key, state, finished_at) values (${id}, 'a', 'done', now())`.execute(
        db(),
      );
    }
    await indexAll();
    expect(await count("search_pending")).toBe(2);
    expect(await remove({ runs: "90d" })).toMatchObject({ runs: 1, run_files: 0 });
    expect(await runs()).toEqual(["run_young"]);
    await indexAll();
    for (const table of ["steps", "log_lines", "run_files", "search_pending"]) {
      expect([table, await count(table)]).toEqual([table, 1]);
    }
    expect([await bytes("file_of_old"), await bytes("file_of_young")]).toEqual([null, "file_of_young"]);
  });

  it("are not there any more, for whoever had read them as for anybody else", async () => {
    await put({ id: "run_read" });
    const read = () => call("GET", "/get_pl_run?run_id=run_read&user_id=user_ada");
    expect((await read()).status).toBe(200);
    await remove({ runs: "90d" });
    const never = await call("GET", "/get_pl_run?run_id=run_never&user_id=user_ada");
    expect(await read()).toEqual(never);
    expect((await call("GET", "/runs/run_read")).status).toBe(404);
    expect((await call("GET", "/runs")).body.runs).toEqual([]);
    expect((await keep("/runs/run_read")).status).toBe(404);
  });

  it("have the time of their team where it has one, longer, shorter or for ever", async () => {
    for (const [id, team, days] of [
      ["run_personal", null, 100],
      ["run_harbor", "team_harbor", 5_000],
      ["run_library", "team_library", 20],
    ] as const) {
      await put({ id, team, days });
    }
    const teams = { team_harbor: { runs: "forever" }, team_library: { runs: "2w" } };
    await remove({ runs: "1y", teams });
    expect(await runs()).toEqual(["run_harbor", "run_personal"]);
    await remove({ teams: { team_harbor: { runs: "12y" } } });
    expect(await runs()).toEqual(["run_personal"]);
  });

  it("go by the clock of the database, not by that of the process", async () => {
    await put({ id: "run_young", days: 1 });
    await put({ id: "run_future", days: -1_000 });
    const clock = {
      now: () => new Date(Date.now() + 1_000 * 86_400_000),
      look: async () => {},
      mayBeLate: () => false,
    };
    await removeBy({ ...context(), clock }, { runs: "90d" });
    expect(await runs()).toEqual(["run_future", "run_young"]);
  });

  it("go with their sub-runs, which never go alone", async () => {
    await put({ id: "run_top", days: 50 });
    await put({ id: "run_sub", parent: "run_top", root: "run_top", days: 100 });
    await remove({ runs: "90d" });
    expect(await runs()).toEqual(["run_sub", "run_top"]);
    expect(await remove({ runs: "40d" })).toMatchObject({ runs: 1 });
    expect(await runs()).toEqual([]);
  });

  it("go however much is below them, more than goes at once, and what ended after them as well", async () => {
    await put({ id: "run_huge", days: 100 });
    await sql`update executions set tree_size = 1000 where id = 'run_huge'`.execute(db());
    await put({ id: "run_next", days: 95 });
    expect(await remove({ runs: "90d" })).toMatchObject({ runs: 2 });
    expect(await runs()).toEqual([]);
  });

  it("stay while anything above or below them is not over", async () => {
    await put({ id: "run_parent" });
    await put({ id: "run_child", parent: "run_parent", root: "run_parent" });
    await put({ id: "run_deep", parent: "run_child", root: "run_parent", state: "waiting" });
    await put({ id: "run_busy", state: "running" });
    await put({ id: "run_below", parent: "run_busy", root: "run_busy" });
    await file("run_below", "file_of_below");
    expect(await remove({ runs: "1d", run_files: "1d" })).toMatchObject({ runs: 0, run_files: 0 });
    expect((await runs()).length).toBe(5);
    expect(await bytes("file_of_below")).toBe("file_of_below");
  });

  it("stay with the mark, on themselves or anything below, until it is taken off", async () => {
    for (const id of ["run_kept", "run_top"]) await put({ id });
    await put({ id: "run_sub", parent: "run_top", root: "run_top" });
    await file("run_sub", "file_of_sub");
    expect((await keep("/runs/run_kept")).body).toEqual({ run_id: "run_kept", kept: true });
    expect((await keep("/runs/run_sub")).status).toBe(200);
    expect((await call("GET", "/runs/run_kept")).body.kept).toBe(true);
    expect(await remove({ runs: "1d", run_files: "1d" })).toMatchObject({ runs: 0, run_files: 0 });
    expect((await runs()).length).toBe(3);
    await keep("/runs/run_kept", false);
    expect((await call("GET", "/runs/run_kept")).body.kept).toBe(false);
    await remove({ runs: "1d" });
    expect(await runs()).toEqual(["run_sub", "run_top"]);
  });

  it("of a mark and a deletion at once exactly one happens", async () => {
    await put({ id: "run_marked" });
    const other = await context().store.pool.connect();
    await other.query("begin");
    await other.query("select from executions where id = 'run_marked' for update");
    const marking = keep("/runs/run_marked");
    await until("the mark waits", () => hasBlockedQueries(context().store));
    await other.query("delete from executions where id = 'run_marked'");
    await other.query("commit");
    other.release();
    expect((await marking).status).toBe(404);
    expect(await count("kept_runs")).toBe(0);
  });

  it("leave the conversation of an agent that worked for them, with the runs that it started", async () => {
    await put({ id: "run_top" });
    await talk({ id: "int_below", parent: "run_top", root: "run_top", days: 99 });
    await put({ id: "run_of_agent", parent: "turn_of_int_below", root: "run_top" });
    await sql`update executions set depth = 2 where id = 'run_of_agent'`.execute(db());
    await remove({ runs: "90d" });
    expect(await runs()).toEqual(["run_of_agent", "turn_of_int_below"]);
    // Who ends a tree locks it from the top downwards.
    const left = await db().selectFrom("executions").select(["id", "depth"]).orderBy("id").execute();
    expect(left.map(({ depth }) => depth)).toEqual([1, 0]);
    const { session } = (await call("GET", "/sessions/int_below")).body;
    expect(session).toMatchObject({ state: "completed", kept: false });
    expect(session.messages.length).toBe(2);
    expect(await remove({ runs: "90d" })).toMatchObject({ runs: 0 });
    await remove({ conversations: "90d" });
    expect([await runs(), await talks()]).toEqual([[], []]);
  });

  it("of which a shared artifact came stay", async () => {
    await put({ id: "run_top" });
    await talk({ id: "int_below", parent: "run_top", root: "run_top" });
    await artifact("int_below", "art_of_run");
    await share("art_of_run");
    await remove({ runs: "90d" });
    expect(await runs()).toEqual(["run_top", "turn_of_int_below"]);
  });

  it("with a log of many lines go at once, and the lines after them, also where a crash came in between", async () => {
    const log = Array.from({ length: 12_000 }, (_, index) => `line ${index}`);
    await put({ id: "run_long", log });
    await put({ id: "run_short", log: ["one"], days: 1 });
    await expect(removeBy(crashAfter(2), { runs: "90d" })).rejects.toThrow("the process is gone");
    // Of the long one 24.
    expect([await runs(), await count("log_lines")]).toEqual([["run_short"], 25]);
    // Some thousand at a time: whoever holds so many rows keeps others waiting.
    await expect(removeBy(crashAfter(2), { runs: "90d" })).rejects.toThrow("the process is gone");
    expect(await count("log_lines")).toBe(15);
    await remove({ runs: "90d" });
    expect([await count("log_lines"), await count("removed_logs")]).toEqual([1, 0]);
  });

  it("go at once with no more lines of all their logs together than go at once of one", async () => {
    const log = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
    for (const n of [1, 2, 3]) await put({ id: `run_${n}`, log });
    const lines = await count("log_lines");
    await expect(removeBy(crashAfter(2), { runs: "90d" })).rejects.toThrow("the process is gone");
    expect([await runs(), await count("log_lines")]).toEqual([[], (lines / 3) * 2]);
    await remove({ runs: "90d" });
    expect(await count("log_lines")).toBe(0);
  });
});
