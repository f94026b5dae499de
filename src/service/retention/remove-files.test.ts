import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { removeBy } from "../../testing/retention.ts";
import { retentionSuite } from "../../testing/retention-suite.ts";
import { sweepFiles } from "../files/sweep-files.ts";

const { context, db, remove, put, talk, file, artifact, call, runs, bytes, count } = retentionSuite();

describe("files of runs", () => {
  it("go before their run, which says so also to whoever has read it", async () => {
    await put({ id: "run_with_files" });
    await file("run_with_files", "file_gone");
    const read = async () =>
      (await call("GET", "/get_pl_run?run_id=run_with_files&user_id=user_ada")).body.files;
    expect((await read()).length).toBe(1);
    expect(await remove({ run_files: "30d" })).toMatchObject({ run_files: 1, runs: 0 });
    expect(await read()).toEqual([]);
    expect(await bytes("file_gone")).toBeNull();
  });

  it("have the time of their team", async () => {
    await put({ id: "run_own" });
    await put({ id: "run_harbor", team: "team_harbor" });
    await file("run_own", "file_own");
    await file("run_harbor", "file_harbor");
    await remove({ run_files: "30d", teams: { team_harbor: { run_files: "forever" } } });
    expect([await bytes("file_own"), await bytes("file_harbor")]).toEqual([null, "file_harbor"]);
  });

  it("leave bytes that another row still names, until that is gone as well", async () => {
    await put({ id: "run_first" });
    await talk({ id: "int_other" });
    await artifact("int_other", "art_same");
    await file("run_first", "art_same_bytes");
    await remove({ runs: "90d" });
    expect(await runs()).toEqual(["turn_of_int_other"]);
    expect(await bytes("art_same_bytes")).toBe("art_same_bytes");
  });

  it("leave no bytes for ever where a crash came between the rows and the bytes", async () => {
    await put({ id: "run_crashed" });
    await file("run_crashed", "file_left_behind");
    const remove = () => Promise.reject(new Error("the process is gone"));
    await removeBy({ ...context(), files: { ...context().files, remove } }, { runs: "90d" });
    expect([await runs(), await bytes("file_left_behind")]).toEqual([[], "file_left_behind"]);
    const now = async () => new Date(Date.now() + 2 * 86_400_000);
    await sweepFiles({ ...context(), files: { ...context().files, now } });
    expect(await bytes("file_left_behind")).toBeNull();
  });

  it("lose nothing where a crash comes before the commit: bytes go after their rows", async () => {
    await put({ id: "run_whole" });
    await file("run_whole", "file_whole");
    await put({ id: "run_child_of_none" });
    // Somebody's hold on a row that only the last statement touches.
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
      db(),
    );
    await sql`create trigger refusing before delete on executions execute function refuse()`.execute(db());
    await expect(remove({ runs: "90d" })).rejects.toThrow("no");
    await sql`drop function refuse() cascade`.execute(db());
    expect([(await runs()).length, await bytes("file_whole")]).toEqual([2, "file_whole"]);
    expect(await count("run_files")).toBe(1);
  });
});

describe("the search", () => {
  it("forgets what is too old, and the run and the conversation stay", async () => {
    await put({ id: "run_found" });
    await talk({ id: "int_found" });
    const ago = (days: number) => sql`now() - make_interval(days => ${days})`;
    for (const [number, days, team] of [
      [1, 100, ""],
      [2, 10, ""],
      [3, 100, "team_harbor"],
    ] as const) {
      await sql`insert into search_blocks
          (number, first_number, first_ended_at, ended_at, kind, user_id, team_id, ids, numbers, text)
        values (${number}, ${number}, ${ago(200)}, ${ago(days)}, 'pipeline', 'user_ada', ${team}, '{run_found}',
                ${[number]}, 'report')`.execute(db());
      await sql`insert into search_pending (number, kind, user_id, team_id, id, ended_at, length, texts)
        values (${number + 10}, 'turn', 'user_ada', ${team}, 'turn_found', ${ago(days)}, 5, '["hello"]')`.execute(
        db(),
      );
    }
    const rules = { search_index: "90d", teams: { team_harbor: { search_index: "forever" } } };
    expect(await remove(rules)).toEqual({ runs: 0, conversations: 0, run_files: 0, search_index: 2 });
    expect([await count("search_blocks"), await count("search_pending")]).toEqual([2, 2]);
    expect((await runs()).length).toBe(2);
  });
});
