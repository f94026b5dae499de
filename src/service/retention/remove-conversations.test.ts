import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { retentionSuite } from "../../testing/retention-suite.ts";
import { purgeDeleted } from "../files/purge-deleted.ts";

const { context, db, remove, put, talk, artifact, share, call, keep, runs, talks, count } = retentionSuite();

describe("conversations", () => {
  it("S-363: go when nothing was said for their time, with messages, results and what the agent started", async () => {
    await talk({ id: "int_old", days: 91 });
    await talk({ id: "int_young", days: 89 });
    await put({ id: "run_of_old", parent: "turn_of_int_old", root: "turn_of_int_old" });
    await db()
      .insertInto("evaluation_results")
      .values({
        id: "result_old",
        evaluation_id: null,
        agent_id: "agent_scribe",
        interaction_id: "int_old",
      })
      .execute();
    await put({ id: "result_old", kind: "evaluation", subject: "int_old" });
    expect(await remove({ conversations: "90d" })).toMatchObject({ conversations: 1 });
    expect([await talks(), await runs()]).toEqual([["int_young"], ["turn_of_int_young"]]);
    expect([await count("messages"), await count("evaluation_results")]).toEqual([2, 0]);
    expect((await call("GET", "/sessions/int_old")).status).toBe(404);
    expect((await call("GET", "/agent_status/int_old?user_id=user_ada")).body.error).toBe(
      "interaction_not_found",
    );
    expect((await keep("/interactions/int_old")).status).toBe(404);
  });

  it("that were continued lately stay with all of their turns", async () => {
    await talk({ id: "int_long", days: 200 });
    await put({ id: "turn_new", kind: "turn", subject: "int_long", days: 5 });
    await sql`update interactions set execution_id = 'turn_new', updated_at = now() - interval '5 days'`.execute(
      db(),
    );
    await remove({ conversations: "90d" });
    expect(await talks()).toEqual(["int_long"]);
    await sql`update interactions set state = 'processing', updated_at = now() - interval '200 days'`.execute(
      db(),
    );
    await remove({ conversations: "1d" });
    expect(await talks()).toEqual(["int_long"]);
  });

  it("have the time of their team where it has one", async () => {
    await talk({ id: "int_own", days: 100 });
    await talk({ id: "int_harbor", days: 100, team: "team_harbor" });
    const rules = { conversations: "90d", teams: { team_harbor: { conversations: "1y" } } };
    expect(await remove(rules)).toMatchObject({ conversations: 1 });
    expect(await talks()).toEqual(["int_harbor"]);
  });

  it("leave their artifacts, which still open and name a conversation that is gone for good", async () => {
    await talk({ id: "int_made" });
    await artifact("int_made", "art_left");
    await remove({ conversations: "90d" });
    expect(await call("GET", "/sessions/int_made")).toMatchObject({ status: 404 });
    expect((await call("POST", "/interactions/int_made/restore")).status).toBe(404);
    const { artifacts } = (await call("GET", "/artifacts")).body;
    expect(artifacts.map(({ id }: { id: string }) => id)).toEqual(["art_left"]);
    expect((await call("GET", "/artifacts/art_left/download")).status).toBe(200);
    expect([await count("messages"), await runs()]).toEqual([0, []]);
    expect(await remove({ conversations: "90d" })).toMatchObject({ conversations: 0 });
  });

  it("leave nothing behind once the last of those artifacts is removed for good as well", async () => {
    const gone = sql`update artifacts set removed_at = now() - interval '25 hours' where id = any(array['art_one', 'art_other'])`;
    await talk({ id: "int_made" });
    await artifact("int_made", "art_one");
    await artifact("int_made", "art_two");
    // What is there still, and what a person deleted, which has its turns for its own time.
    await talk({ id: "int_there", days: 1 });
    await artifact("int_there", "art_other");
    await remove({ conversations: "90d" });
    await gone.execute(db());
    await purgeDeleted(context());
    expect(await talks()).toEqual(["int_made", "int_there"]);
    await sql`update artifacts set removed_at = now() - interval '25 hours' where id = 'art_two'`.execute(
      db(),
    );
    await purgeDeleted(context());
    expect(await talks()).toEqual(["int_there"]);
  });

  it("of which an artifact is shared stay, by a link, with a person or with everybody", async () => {
    for (const id of ["link", "person", "everybody", "nobody"]) {
      await talk({ id: `int_${id}` });
      await artifact(`int_${id}`, `art_${id}`);
    }
    await share("art_link");
    await db()
      .updateTable("artifacts")
      .set({ organization_role: "viewer" })
      .where("id", "=", "art_everybody")
      .execute();
    const given = {
      artifact_id: "art_person",
      kind: "person",
      grantee: "x@example.com",
      role: "viewer",
    } as const;
    await db()
      .insertInto("artifact_grants")
      .values({ ...given, granted_by: null })
      .execute();
    expect(await remove({ conversations: "90d" })).toMatchObject({ conversations: 1 });
    expect(await count("messages")).toBe(6);
  });

  it("stay with the mark, also of a run that the agent started, and so does the run that has them", async () => {
    await talk({ id: "int_kept" });
    await talk({ id: "int_with_run" });
    await put({ id: "run_kept", parent: "turn_of_int_with_run", root: "turn_of_int_with_run" });
    await put({ id: "run_top" });
    await talk({ id: "int_in_run", parent: "run_top", root: "run_top" });
    for (const path of ["/interactions/int_kept", "/runs/run_kept", "/interactions/int_in_run"]) {
      expect((await keep(path)).status).toBe(200);
    }
    expect((await call("GET", "/sessions/int_kept")).body.session.kept).toBe(true);
    expect(await remove({ runs: "1d", conversations: "1d" })).toMatchObject({ runs: 0, conversations: 0 });
    await keep("/interactions/int_in_run", false);
    await keep("/interactions/int_kept", false);
    expect(await remove({ runs: "1d", conversations: "1d" })).toMatchObject({ runs: 1, conversations: 2 });
    expect(await runs()).toEqual(["run_kept", "turn_of_int_with_run"]);
  });

  it("S-363: of a run that stays stay with it, and while one of them is being judged", async () => {
    await put({ id: "run_top" });
    await talk({ id: "int_in_run", parent: "run_top", root: "run_top" });
    await talk({ id: "int_judged" });
    await db()
      .insertInto("evaluation_results")
      .values({
        id: "result_new",
        evaluation_id: null,
        agent_id: "agent_scribe",
        interaction_id: "int_judged",
      })
      .execute();
    await put({ id: "result_new", kind: "evaluation", subject: "int_judged", state: "waiting" });
    expect(await remove({ conversations: "90d" })).toMatchObject({ conversations: 0 });
    expect(await talks()).toEqual(["int_in_run", "int_judged"]);
  });

  it("S-368: take with them the evaluations that were left of those that went before, and of no others", async () => {
    await talk({ id: "int_young", days: 1 });
    await talk({ id: "int_deleted", days: 1 });
    await talk({ id: "int_words_gone" });
    await artifact("int_words_gone", "artifact_stays");
    await remove({ conversations: "90d" });
    await sql`update interactions set deleted_at = now() - interval '2 days', erased_at = now()
               where id = 'int_deleted'`.execute(db());
    const subjects = ["int_young", "int_deleted", "int_words_gone", "int_gone", "int_gone"];
    for (const [index, subject] of subjects.entries())
      await put({ id: `eval_${index}`, kind: "evaluation", subject, log: ["judged"] });
    await put({ id: "eval_at_work", kind: "evaluation", subject: "int_gone", state: "waiting" });
    await remove({ conversations: "90d" });
    expect(await runs()).toEqual([
      ...["eval_0", "eval_1", "eval_at_work", "turn_of_int_deleted", "turn_of_int_young"],
    ]);
    expect(await count("log_lines")).toBe(2);
  });

  it("that a person deleted can be restored for their day all the same, and leave nothing after it", async () => {
    await talk({ id: "int_deleted" });
    expect((await call("DELETE", "/interactions/int_deleted")).status).toBe(204);
    await remove({ conversations: "90d" });
    expect((await call("POST", "/interactions/int_deleted/restore")).status).toBe(200);
    expect(await count("messages")).toBe(2);
    await sql`update interactions set deleted_at = now() - interval '2 days', erased_at = now()`.execute(
      db(),
    );
    await remove({ conversations: "90d" });
    expect(await talks()).toEqual([]);
  });
});
