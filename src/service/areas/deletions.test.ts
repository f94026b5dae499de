import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { keyOf } from "../../testing/people.ts";
import { retentionSuite } from "../../testing/retention-suite.ts";
import { testKeys } from "../../testing/service.ts";
import { eraseDeleted } from "../agents/erase-conversations.ts";
import { purgeDeleted } from "../files/purge-deleted.ts";
import { mergedAtOnce, mergeTombstones } from "../store/merge-tombstones.ts";
import { type Gone, leaveTombstones } from "../store/tombstones.ts";

const { service, context, db, remove, put, talk, artifact, share, call, count } = retentionSuite();

type Who = keyof typeof testKeys | "annex";
let annexKey: string;
beforeAll(async () => {
  annexKey = await keyOf(context().store, { kind: "team", id: "team_annex" });
});
/** The hour may just have turned. */
const hoursAgo = (hours: number) => expect.toBeOneOf([hours, hours + 1]);

/** What the service says of a deletion, and when it was, whole hours ago. */
async function deletionOf(id: string, who: Who = "ada") {
  const answer = await service().call(who === "annex" ? annexKey : testKeys[who], "GET", `/deletions/${id}`);
  const { deleted_ts, ...said } = JSON.parse(await answer.text());
  const hours =
    deleted_ts === undefined ? null : Math.floor((Date.now() - Date.parse(deleted_ts)) / 3_600_000);
  return { status: answer.status, hours, ...said };
}

const byRule = (id: string, rule_days: number) => {
  return { status: 200, hours: hoursAgo(0), id, deleted_by: "retention", rule_days };
};
const byPerson = (id: string, hours = 0) => {
  return { status: 200, hours: hoursAgo(hours), id, deleted_by: "person", rule_days: null };
};

/** As if what was deleted had been so many hours ago. */
async function hoursLater(
  table: "interactions" | "artifacts",
  column: "deleted_at" | "removed_at",
  hours: number,
) {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(hours => ${sql.lit(hours)})`.execute(
    db(),
  );
}

describe("S-61: what a rule deleted", () => {
  it("says when it went and by which rule: runs, sub-runs, failed runs, those of a team, conversations", async () => {
    await put({ id: "run_top" });
    await put({ id: "run_sub", parent: "run_top", root: "run_top" });
    await put({ id: "run_failed", state: "failed" });
    await put({ id: "run_team", team: "team_harbor" });
    await talk({ id: "int_old" });
    await put({ id: "run_of_agent", parent: "turn_of_int_old", root: "turn_of_int_old" });
    const teams = { team_harbor: { runs: "7d" } };
    await remove({ runs: "30d", failed_runs: "2w", conversations: "90d", teams });
    const expected = { run_top: 30, run_sub: 30, run_failed: 14, run_team: 7, int_old: 90, run_of_agent: 90 };
    for (const [id, days] of Object.entries(expected)) expect(await deletionOf(id)).toEqual(byRule(id, days));
  });

  it("tells it to whoever could have seen it, and to others what it tells of what never was", async () => {
    await put({ id: "run_own" });
    await put({ id: "run_team", team: "team_harbor" });
    await talk({ id: "int_own" });
    await talk({ id: "int_team", team: "team_harbor" });
    await remove({ runs: "30d", conversations: "30d" });
    for (const id of ["run_own", "run_team", "int_own", "int_team"]) {
      const isTeams = id.endsWith("team");
      const never = await deletionOf("run_never", "grace");
      expect(never.status).toBe(404);
      expect(await deletionOf(id)).toEqual(byRule(id, 30));
      for (const who of ["grace", "harbor"] as const) {
        expect([id, who, await deletionOf(id, who)]).toEqual([id, who, isTeams ? byRule(id, 30) : never]);
      }
      expect([id, await deletionOf(id, "annex")]).toEqual([id, never]);
    }
  });

  it("keeps the answers of the addresses themselves: they are those of what never was", async () => {
    await put({ id: "run_gone" });
    await talk({ id: "int_gone" });
    await remove({ runs: "30d", conversations: "30d" });
    for (const path of [
      "/runs/ID",
      "/get_pl_run?run_id=ID&user_id=user_ada",
      "/sessions/ID",
      "/agent_status/ID?user_id=user_ada",
    ]) {
      const never = await call("GET", path.replace("ID", "run_never"));
      expect(never.status).toBe(404);
      for (const id of ["run_gone", "int_gone"])
        expect(await call("GET", path.replace("ID", id))).toEqual(never);
    }
  });

  it("tells nothing of what stays, nor of its turns", async () => {
    await put({ id: "run_young", days: 1 });
    await talk({ id: "int_young", days: 1 });
    await talk({ id: "int_old" });
    await remove({ runs: "30d", conversations: "30d" });
    for (const id of ["run_young", "int_young", "turn_of_int_old"]) {
      expect((await deletionOf(id)).status).toBe(404);
    }
  });
});

describe("S-61: what a person deleted", () => {
  it("a conversation: at once, after it was erased and after its row is gone; and not once it is restored", async () => {
    await talk({ id: "int_deleted" });
    await talk({ id: "int_restored" });
    for (const id of ["int_deleted", "int_restored"]) await call("DELETE", `/interactions/${id}`);
    expect(await deletionOf("int_deleted")).toEqual(byPerson("int_deleted"));
    expect((await deletionOf("int_deleted", "grace")).status).toBe(404);
    await call("POST", "/interactions/int_restored/restore");
    expect((await deletionOf("int_restored")).status).toBe(404);
    await hoursLater("interactions", "deleted_at", 48);
    await eraseDeleted(context().store);
    const later = byPerson("int_deleted", 48);
    expect(await deletionOf("int_deleted")).toEqual(later);
    await remove({ conversations: "30d" });
    expect(await deletionOf("int_deleted")).toEqual(later);
    expect((await deletionOf("int_deleted", "grace")).status).toBe(404);
  });

  it("an artifact: at once and after its bytes are gone, also for those to whom it was given", async () => {
    await talk({ id: "int_made" });
    for (const id of ["art_own", "art_given", "art_link"]) await artifact("int_made", id);
    const given = {
      artifact_id: "art_given",
      kind: "person",
      grantee: "grace@example.com",
      role: "viewer",
    } as const;
    await db()
      .insertInto("artifact_grants")
      .values({ ...given, granted_by: null })
      .execute();
    await share("art_link");
    for (const id of ["art_own", "art_given", "art_link"]) {
      expect((await deletionOf(id)).status).toBe(404);
      expect((await call("DELETE", `/artifacts/${id}`)).status).toBe(200);
    }
    const check = async (hours: number) => {
      for (const id of ["art_own", "art_given", "art_link"]) {
        expect(await deletionOf(id)).toEqual(byPerson(id, hours));
        const ofGrace = id === "art_given" ? byPerson(id, hours) : { status: 404 };
        expect([id, await deletionOf(id, "grace")]).toMatchObject([id, ofGrace]);
        expect((await deletionOf(id, "annex")).status).toBe(404);
      }
    };
    await check(0);
    await hoursLater("artifacts", "removed_at", 48);
    await purgeDeleted(context());
    expect(await count("artifacts")).toBe(0);
    await check(48);
  });
});

describe("what is kept of deletions", () => {
  const audiences = ["user:user_ada"];
  /** As a deletion of so many runs leaves them. */
  const leave = async (from: number, howMany: number, more: Partial<Gone> = {}) =>
    await db()
      .transaction()
      .execute((tx) =>
        leaveTombstones(
          tx,
          Array.from({ length: howMany }, (_, index) => {
            return { id: `run_${from + index}`, audiences, ruleDays: 30, at: null, ...more };
          }),
        ),
      );
  const segments = async () => {
    const { rows } = await sql<{ level: number; count: number; keys: number }>`
      select level, count(*)::int, sum(keys)::int as keys from tombstone_segments group by level order by level`.execute(
      db(),
    );
    return rows;
  };

  it("are found again after they were merged, each of them, in 16 bytes each", async () => {
    const batch = 250;
    const batches = mergedAtOnce * 3;
    for (let number = 0; number < batches; number++) await leave(number * batch, batch);
    await mergeTombstones(context().store);
    const keys = batches * batch;
    expect(await segments()).toEqual([{ level: 1, count: 3, keys }]);
    for (const n of [0, 1, 249, 250, 319, 320, 321, 7_999, 8_000, 12_345, keys - 1]) {
      expect(await deletionOf(`run_${n}`)).toEqual(byRule(`run_${n}`, 30));
    }
    expect((await deletionOf(`run_${keys}`)).status).toBe(404);
    // What was merged stays for whoever looks at the database just then, such as an analysis of some table.
    const bytesPerKey = async () => {
      await context().store.pool.query("vacuum full tombstones");
      const { rows } = await sql<{ bytes: number }>`
        select pg_total_relation_size('tombstones')::float8 as bytes`.execute(db());
      return (rows[0]?.bytes ?? Number.POSITIVE_INFINITY) / keys;
    };
    await expect.poll(bytesPerKey, { timeout: 60_000 }).toBeLessThan(16);
  });

  it("go after a year, with what is known of their deletions, and younger ones stay", async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    await leave(0, 10, { ruleDays: null, at: days(367) });
    await leave(10, 10, { ruleDays: null, at: days(360) });
    await mergeTombstones(context().store);
    expect((await deletionOf("run_5")).status).toBe(404);
    expect(await deletionOf("run_15")).toMatchObject({ status: 200, deleted_by: "person" });
    const { rows } = await sql`select from deletions where at < ${days(361)}`.execute(db());
    expect(rows).toEqual([]);
  });

  it("S-61: tombstones tell nothing to whoever reads the tables and has no names", async () => {
    await leave(0, 10);
    const { rows } = await sql<{ text: string }>`
      select t::text || s::text || d::text as text from tombstones t, tombstone_segments s, deletions d`.execute(
      db(),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/run_|user_|ada/);
  });
});
