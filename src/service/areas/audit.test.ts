import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditEntry } from "../../contract/audit.ts";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";
import { auditEntries, auditOf, sealAll } from "../../testing/audit.ts";
import { auditKey } from "../audit/chain.ts";
import { recordCommand, recordCounted } from "../audit/record.ts";
import { verifyChain } from "../audit/verify.ts";
import { createSignInToken } from "../credentials/sign-in.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
  const { db } = app.context.store;
  await db.updateTable("users").set({ role: "admin" }).where("id", "=", "user_lee").execute();
});
afterAll(() => app.stop());

async function listed(key: KeyName, query = ""): Promise<AuditEntry[]> {
  await sealAll(app.context);
  const { status, body } = await app.call(key, "GET", `/admin/audit${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.entries;
}
const agentMade = async (key: KeyName, body: object) =>
  (await app.call(key, "POST", "/agents", { name: "New", ...body })).body.agent.id as string;
const idsOf = (entries: readonly AuditEntry[]) => entries.map(({ object }) => object.id);

describe("the audit log", () => {
  test("says who changed what, with values of names and choices and no others", async () => {
    const id = await agentMade("kim", {});
    const change = { name: "Renamed", system_prompt: "canary-of-a-prompt", is_active: true };
    await app.call("kim", "PATCH", `/agents/${id}`, change, {
      ...asOwner("kim"),
      "user-agent": "test/1",
    });
    const [entry] = await listed("kim", `?object=agent&object_id=${id}`);
    expect(entry).toMatchObject({
      action: "agent.update",
      by: { kind: "person", user: { id: "user_kim", first_name: "Kim" }, team: null, name: null },
      credential: { id: expect.stringMatching(/^key_/), kind: "personal" },
      object: { kind: "agent", id, name: "Renamed" },
      changes: [
        { field: "name", shown: true, before: "New", after: "Renamed" },
        { field: "system_prompt", shown: false, before: null, after: null },
      ],
      count: 1,
      from: { address: "127.0.0.1", user_agent: "test/1" },
      request_id: expect.stringMatching(/^req_/),
    });
    expect(JSON.stringify(await auditEntries(app.context))).not.toContain("canary-of-a-prompt");
  });

  test("is narrowed by any time that ISO 8601 can say, to the microsecond", async () => {
    const id = await agentMade("kim", {});
    for (const early of ["0000-01-01T00:00:00Z", "2001-02-30T00:00:00Z", "2001-01-01T00:00:00%2B23:00"]) {
      expect(idsOf(await listed("kim", `?from=${early}&object=agent`)), early).toContain(id);
      expect(await listed("kim", `?to=${early}`), early).toEqual([]);
    }
    const whole = await app.service.call(
      app.keys.kim,
      "GET",
      `/admin/audit/export?object=agent&object_id=${id}`,
    );
    const { at } = JSON.parse(await whole.text());
    expect(at).toMatch(/\.\d{6}Z$/);
    expect(idsOf(await listed("kim", `?from=${at}&object=agent&object_id=${id}`))).toEqual([id]);
    expect(await listed("kim", `?to=${at}&object=agent&object_id=${id}`)).toEqual([]);
  });

  test("is written with the change or not at all", async () => {
    const before = (await auditEntries(app.context)).length;
    await sql`alter table audit_pending rename to audit_away`.execute(app.context.store.db);
    try {
      expect((await app.call("kim", "POST", "/agents", { name: "Unrecorded" })).status).toBe(500);
      const run = { gummie_id: "agent_kim", message: "Hi", user_id: "user_kim" };
      expect((await app.call("kim", "POST", "/start_agent", run)).status).toBe(500);
    } finally {
      await sql`alter table audit_away rename to audit_pending`.execute(app.context.store.db);
    }
    const { db } = app.context.store;
    expect(await db.selectFrom("agents").select("id").where("name", "=", "Unrecorded").execute()).toEqual([]);
    expect(await db.selectFrom("interactions").select("id").execute()).toEqual([]);
    expect(await auditEntries(app.context)).toHaveLength(before);
  });

  test("names a team's key, and the person for whom it acts", async () => {
    const body = { gummie_id: "agent_red", message: "Hi", user_id: "user_kim", project_id: "team_red" };
    const started = await app.call("red", "POST", "/start_agent", body);
    expect(started.status, JSON.stringify(started.body)).toBe(202);
    const [entry] = await listed("lee", "?action=conversation.start");
    expect(entry).toMatchObject({
      by: { kind: "team", user: null, team: { id: "team_red" } },
      for_user: { id: "user_kim" },
      credential: { kind: "team" },
      object: { kind: "conversation", id: started.body.interaction_id },
      team_id: "team_red",
    });
  });

  test("shows admins all, admins of a team what concerns it, and everyone what they did", async () => {
    const own = await agentMade("kim", {});
    const teams = await agentMade("lee", { team_id: "team_red" });
    const others = await agentMade("lee", {});
    const of = async (key: KeyName) => {
      const ids = idsOf(await listed(key, "?page_size=100&action=agent.create"));
      return [own, teams, others].filter((id) => ids.includes(id));
    };
    expect(await of("lee")).toEqual([own, teams, others]);
    expect(await of("kim")).toEqual([own]);
    const { db } = app.context.store;
    const role = (to: "admin" | "editor") =>
      db
        .updateTable("team_members")
        .set({ role: to })
        .where("team_id", "=", "team_red")
        .where("user_id", "=", "user_kim")
        .execute();
    await role("admin");
    expect(await of("kim")).toEqual([own, teams]);
    await role("editor");
    expect(await of("kim")).toEqual([own]);
    // Of one's own nothing comes twice.
    await role("admin");
    const both = await agentMade("kim", { team_id: "team_red" });
    expect(idsOf(await listed("kim", `?object=agent&object_id=${both}`))).toEqual([both]);
    await role("editor");
    expect((await app.call("red", "GET", "/admin/audit")).status).toBe(403);
  });

  test("is narrowed by person, object, action and time, in pages, the newest first", async () => {
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await agentMade("kim", {}));
    const all = await listed("lee", "?by=user_kim&action=agent.create&page_size=100");
    expect(idsOf(all).slice(0, 5)).toEqual([...made].reverse());
    const paged: (string | null)[] = [];
    let cursor = "";
    do {
      const { body } = await app.call(
        "lee",
        "GET",
        `/admin/audit?by=user_kim&action=agent.create&page_size=2${cursor}`,
      );
      paged.push(...idsOf(body.entries));
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    expect(paged).toEqual(idsOf(all));
    const [newest, older] = all;
    const at = encodeURIComponent(newest?.at ?? "");
    const since = await listed("lee", `?by=user_kim&action=agent.create&from=${at}&page_size=100`);
    expect(idsOf(since)).toContain(newest?.object.id);
    expect(since.every((entry) => Date.parse(entry.at) >= Date.parse(newest?.at ?? ""))).toBe(true);
    const before = await listed("lee", `?action=agent.create&to=${encodeURIComponent(older?.at ?? "")}`);
    expect(idsOf(before)).not.toContain(newest?.object.id);
    expect(await listed("lee", "?object=team&object_id=team_none")).toEqual([]);
    const wrong = await app.call("lee", "GET", "/admin/audit?object_id=agent_kim");
    expect([wrong.status, wrong.body.error.param]).toEqual([400, "object_id"]);
  });

  test("is exported as JSON Lines, each entry to the byte as it was sealed, and the export is recorded", async () => {
    await sealAll(app.context);
    const response = await app.service.call(app.keys.lee, "GET", "/admin/audit/export");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect(response.headers.get("content-disposition")).toContain("audit-log.jsonl");
    const lines = (await response.text()).trim().split("\n");
    const { rows } = await sql<{ entry: string; seal: string }>`
      select entry::text as entry, encode(seal, 'hex') as seal from audit_log
       order by at desc, position desc`.execute(app.context.store.db);
    expect(lines.map((line) => JSON.parse(line).seal)).toEqual(rows.map(({ seal }) => seal));
    expect(lines[0]).toContain(rows[0]?.entry);
    expect((await auditOf(app.context, "audit.export")).at(-1)).toMatchObject({ user_id: "user_lee" });
    const own = await app.service.call(app.keys.kim, "GET", "/admin/audit/export?action=agent.create");
    const users = (await own.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).entry.user_id);
    expect(new Set(users)).toEqual(new Set(["user_kim"]));
  });
});

describe("sign-ins", () => {
  test("are recorded with the session that they made, and never with its secret", async () => {
    const token = await createSignInToken(app.context.store, "user_kim");
    const { body } = await app.call(
      null,
      "POST",
      "/console/sessions",
      { token },
      { "user-agent": "Browser/1" },
    );
    const [entry] = await listed("kim", "?action=session.create");
    expect(entry).toMatchObject({
      by: { user: { id: "user_kim" } },
      credential: { kind: "token" },
      object: { kind: "session", name: "sign-in link" },
      from: { address: "127.0.0.1", user_agent: "Browser/1" },
    });
    const said = JSON.stringify(await auditEntries(app.context));
    for (const secret of [token, body.access_token]) expect(said).not.toContain(secret);
    const signOut = () =>
      app.service.call(body.access_token, "POST", "/console/sign-out", {}, { "x-auth-key": "user_kim" });
    expect((await signOut()).status).toBe(200);
    expect(await listed("kim", "?action=session.end")).toEqual([
      expect.objectContaining({
        object: { kind: "session", id: entry?.object.id, name: "signed in by link" },
      }),
    ]);
  });

  test("S-123: that are refused are one entry for each minute and network, however many there are", async () => {
    const { db } = app.context.store;
    await sql`delete from audit_counts`.execute(db);
    const tries = Array.from({ length: 12 }, () =>
      app.call(null, "POST", "/console/sessions", { token: "canary-of-a-guess" }),
    );
    for (const { status } of await Promise.all(tries)) expect(status).toBe(401);
    // The minute is over.
    await sql`update audit_counts set minute = minute - interval '2 minutes'`.execute(db);
    await sealAll(app.context);
    const refused = await auditOf(app.context, "session.refuse");
    expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(12);
    expect(refused.length).toBeLessThanOrEqual(2);
    expect(refused[0]).toMatchObject({ by: "unknown", user_id: null, address: "127.0.0.1" });
    expect(JSON.stringify(refused)).not.toContain("canary-of-a-guess");
  });

  test("S-123: of many networks at once leave a bounded number of entries, and none is left out of the count", async () => {
    const { db } = app.context.store;
    await sql`delete from audit_counts`.execute(db);
    const asker = { caller: null, requestId: "req_x", headers: new Map(), remoteAddress: "192.0.2.1" };
    const event = { action: "session.refuse", object: { kind: "session", id: null } } as const;
    for (let n = 0; n < 60; n++) await recordCounted(db, asker, `192.0.2.${n}`, event);
    const { rows } = await sql<{ rows: number; count: number }>`
      select count(*)::int as rows, sum(count)::int as count from audit_counts`.execute(db);
    // A minute may end in between.
    expect(rows[0]?.rows).toBeLessThanOrEqual(2 * 21);
    expect(rows[0]?.count).toBe(60);
  });
});

test("what a command does names who ran it, and no one else sees it but admins", async () => {
  await recordCommand(app.context.store.db, {
    action: "backup.create",
    object: { kind: "installation", id: null, name: "/tmp/one.whb" },
  });
  const [entry] = await listed("lee", "?action=backup.create");
  expect(entry).toMatchObject({
    by: { kind: "command", name: expect.stringMatching(/.@./) },
    credential: null,
  });
  expect(await listed("kim", "?action=backup.create")).toEqual([]);
});

test("S-121: all that was recorded here makes a chain that is whole", async () => {
  await sealAll(app.context);
  const verified = await verifyChain(app.context.store, auditKey(app.context.signer));
  expect(verified.problems).toEqual([]);
  expect(verified.entries).toBeGreaterThan(10);
});
