import { sql } from "kysely";
import { movableKinds, ownedKinds } from "../../contract/admin-people.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { shownChange } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
import { requireAdmin } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";
import { changing, lockedPerson, nameOfPerson, noPerson } from "./admin-changes.ts";
import type { Handlers } from "./handler.ts";

type Owned = Pick<Handlers<typeof endpoints>, "getOwned" | "handOver">;
type Movable = (typeof movableKinds)[number];

/**
 * What is somebody's, by kind: the column that says whose, what counts, and the team that has it instead, where that is not just
 * `team_id`. A person's own two agents are no one else's.
 */
const things: Readonly<
  Record<
    (typeof ownedKinds)[number],
    { readonly from: string; readonly owner: string; readonly team?: string }
  >
> = {
  agents: { from: "agents where is_active and alias is null and", owner: "owner_id" },
  flows: { from: "saved_items where removed_at is null and", owner: "user_id" },
  knowledge_sources: {
    from: "knowledge_sources where deleted_at is null and",
    owner: "created_by_user_id",
    // As `teamOfSource` says it: of all others a team is named, and they are their maker's.
    team: "case when scope = 'team' then team_id end",
  },
  evaluations: { from: "evaluations where deleted_at is null and", owner: "owner_id" },
  conversations: { from: "interactions where deleted_at is null and", owner: "user_id" },
  runs: { from: "executions where kind = 'pipeline' and", owner: "user_id" },
  artifacts: { from: "artifacts where removed_at is null and", owner: "user_id" },
  connections: { from: "mcp_connections where signed_in_at is not null and", owner: "user_id" },
  keys: { from: "credentials where kind = 'personal' and revoked_at is null and", owner: "user_id" },
  shared_with_them: {
    from: `artifact_grants g join artifacts a on a.id = g.artifact_id and a.removed_at is null
             join users u on lower(u.email) = g.grantee where g.kind = 'person' and`,
    owner: "u.id",
    team: "null",
  },
};

/** Own. */
const getOwned: Owned["getOwned"] = async ({ store: { db } }, { caller, params }) => {
  requireAdmin(caller);
  const { user_id: id } = params;
  const person = await db.selectFrom("users").select("id").where("id", "=", id).executeTakeFirst();
  if (person === undefined) throw noPerson();
  const counted = ownedKinds.map((kind) => {
    const { from, owner, team = "team_id" } = things[kind];
    return sql`select ${kind}::text as kind,
        count(*) filter (where ${sql.raw(team)} is null)::int as own, count(${sql.raw(team)})::int as for_teams
        from ${sql.raw(from)} ${sql.ref(owner)} = ${id}`;
  });
  const { rows } = await sql<{
    kind: (typeof ownedKinds)[number];
    own: number;
    for_teams: number;
  }>`${sql.join(counted, sql` union all `)}`.execute(db);
  const isMovable = (kind: string) => movableKinds.some((movable) => movable === kind);
  const owned = rows.map((row) => ({ ...row, movable: isMovable(row.kind) ? row.own : 0 }));
  return { type: "body", body: { owned } };
};

const moves: Readonly<Record<Movable, (tx: Tx, from: string, to: string) => Promise<bigint>>> = {
  async agents(tx, from, to) {
    const { numUpdatedRows } = await tx
      .updateTable("agents")
      .set({ owner_id: to, version: sql`version + 1`, updated_at: sql`now()` })
      .where("owner_id", "=", from)
      .where("team_id", "is", null)
      .where("alias", "is", null)
      .where("is_active", "=", true)
      .executeTakeFirst();
    return numUpdatedRows;
  },
  async knowledge_sources(tx, from, to) {
    const { numUpdatedRows } = await tx
      .updateTable("knowledge_sources")
      .set({ created_by_user_id: to })
      .where("created_by_user_id", "=", from)
      .where(sql<boolean>`(scope <> 'team' or team_id is null)`)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows;
  },
  async evaluations(tx, from, to) {
    const { numUpdatedRows } = await tx
      .updateTable("evaluations")
      .set({ owner_id: to })
      .where("owner_id", "=", from)
      .where("team_id", "is", null)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows;
  },
  async artifacts(tx, from, to) {
    // Whoever owns it was given nothing of it.
    await sql`
      delete from artifact_grants g using artifacts a, users u
       where a.id = g.artifact_id and a.user_id = ${from} and a.team_id is null and a.removed_at is null
         and u.id = ${to} and g.kind = 'person' and g.grantee = lower(u.email)`.execute(tx);
    const { numUpdatedRows } = await tx
      .updateTable("artifacts")
      .set({ user_id: to })
      .where("user_id", "=", from)
      .where("team_id", "is", null)
      .where("removed_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows;
  },
};

/** Own: all of it or nothing. */
const handOver: Owned["handOver"] = async (context, request) => {
  const { caller, params, body } = request;
  requireAdmin(caller);
  const { moved, recorded } = await changing(context, async (tx) => {
    const from = await lockedPerson(tx, params.user_id);
    const to = await lockedPerson(tx, body.to, "to");
    if (to.deactivated_at !== null) throw new ServiceError("person_inactive", { param: "to" });
    const kinds = movableKinds.filter((kind) => body.kinds?.includes(kind) ?? true);
    const counts = [];
    for (const kind of kinds) {
      const count = from.id === to.id ? 0 : Number(await moves[kind](tx, from.id, to.id));
      counts.push({ kind, count });
    }
    const changes = counts.flatMap(({ kind, count }) => (count === 0 ? [] : [shownChange(kind, count, 0)]));
    if (changes.length === 0) return { moved: counts, recorded: nothingChanged() };
    changes.push(shownChange("to", null, to.id));
    const object = { kind: "person", id: from.id, name: nameOfPerson(from) } as const;
    const recorded = await record(tx, request, { action: "person.hand_over", object, changes });
    return { moved: counts, recorded };
  });
  return { type: "body", body: { moved }, recorded };
};

export const adminOwnedHandlers: Owned = { getOwned, handOver };
