import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPeople } from "../../testing/people.ts";
import { type ExplainedService, startExplained } from "../../testing/plans.ts";

let explained: ExplainedService;
const keys = new Map<string, string>();
const entries = 60_000;
beforeAll(async () => {
  explained = await startExplained();
  const { service } = explained;
  const { db } = service.context.store;
  await addPeople(service.context.store);
  await db.updateTable("users").set({ role: "admin" }).where("id", "=", "user_ann").execute();
  await db
    .updateTable("team_members")
    .set({ role: "admin" })
    .where("team_id", "=", "team_one")
    .where("user_id", "=", "user_ben")
    .execute();
  // Most is one program's; a few things are done by few.
  await sql`
    insert into audit_log (position, at, entry, key_id, seal)
    select n + 1000, now() - make_interval(mins => ${entries} - n), json_build_object(
        'action', case when n % 997 = 0 then 'team.update' else 'run.start' end,
        'by', 'person', 'user_id', case n % 500 when 0 then 'user_ben' when 1 then 'user_cat' else 'user_ann' end,
        'team_id', case when n % 3 = 0 then 'team_two' when n % 300 = 1 then 'team_one' end,
        'object_kind', case when n % 997 = 0 then 'team' else 'run' end, 'object_id', 'run_' || n / 2,
        'changes', json_build_array(), 'count', 1), 'k', sha256(n::text::bytea)
      from generate_series(1, ${entries}) n`.execute(db);
  await sql`analyze audit_log`.execute(db);
  for (const [who, id] of [
    ["admin of all", "user_ann"],
    ["admin of a team", "user_ben"],
    ["member", "user_cat"],
  ] as const)
    keys.set(who, await service.makeKey({ kind: "person", id }));
}, 120_000);
afterAll(() => explained.service.stop());

const ago = (days: number) => encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString());

/** And how many entries may be looked at for a page of it. */
const pages: readonly (readonly [query: string, most: number])[] = [
  ["", 500],
  ["page_size=100", 500],
  ["by=user_ben", 500],
  ["by=user_none", 500],
  ["action=team.update", 500],
  ["action=team.create", 500],
  ["object=run&object_id=run_20000", 500],
  ["object=agent", 500],
  [`to=${ago(20)}`, 500],
  [`from=${ago(20)}&to=${ago(19)}`, 500],
  [`action=team.update&to=${ago(20)}`, 500],
  // What no index knows together is looked for among what one of them knows.
  ["by=user_ben&action=team.update", 5_000],
];

test.each(pages)("A page of the audit log reads little of its indexes: %s", async (query, most) => {
  for (const [who, key] of keys) {
    let cursor = "";
    for (let page = 0; page < 2; page++) {
      const scans = await explained.scansOf(async () => {
        const answer = await explained.service.call(key, "GET", `/admin/audit?${query}${cursor}`);
        expect(answer.status).toBe(200);
        const { next_cursor } = (await answer.json()) as { next_cursor: string | null };
        cursor = next_cursor === null ? "" : `&cursor=${next_cursor}`;
      });
      const read = scans.filter(({ table }) => table === "audit_log");
      expect(read.length).toBeGreaterThan(0);
      const wrong = read.filter(({ how, rows }) => how.includes("Seq Scan") || rows > most);
      expect({ who, page, wrong }).toEqual({ who, page, wrong: [] });
      if (cursor === "") break;
    }
  }
});
