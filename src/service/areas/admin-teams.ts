import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { showPerson } from "../agents/agent-view.ts";
import { changesOf, shownChange } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { teamsOf } from "../permission/actor.ts";
import {
  isInstallationAdmin,
  maySeeTeam,
  requireAdmin,
  requireManager,
  requirePerson,
} from "../permission/roles.ts";
import { storableText } from "../store/json.ts";
import { anyIn } from "../store/prepared.ts";
import type { Tx } from "../store/store.ts";
import {
  changing,
  checkManaged,
  checkVersion,
  differing,
  lockedPerson,
  lockedTeam,
  noTeam,
} from "./admin-changes.ts";
import { holds, personNameKey, personState, showTeams } from "./admin-view.ts";
import type { Caller, Handlers } from "./handler.ts";
import { byName, fetchPage } from "./page.ts";

type Teams = Pick<
  Handlers<typeof endpoints>,
  | "listAdminTeams"
  | "getTeam"
  | "createTeam"
  | "updateTeam"
  | "listTeamMembers"
  | "setTeamMember"
  | "removeTeamMember"
>;

const nameKey = sql<string>`(lower(teams.name) collate "C")`;

/** @throws ServiceError `not_found` for who is neither in the team nor looks after all */
function checkSeen(caller: Caller, teamId: string): void {
  if (!maySeeTeam(caller, teamId)) throw noTeam();
}

/** @throws ServiceError `not_found`, and `forbidden` for who is in the team and does not look after it */
function checkManages(caller: Caller, teamId: string): void {
  checkSeen(caller, teamId);
  requireManager(caller, teamId);
}

/** Own: by name. */
const listAdminTeams: Teams["listAdminTeams"] = async ({ store: { db } }, { caller, query }) => {
  let rows = db.selectFrom("teams").selectAll().select(nameKey.as("key"));
  if (!isInstallationAdmin(caller)) rows = rows.where("id", "=", anyIn([...teamsOf(caller)]));
  rows = rows.where("retired_at", query.retired === true ? "is not" : "is", null);
  if (query.search !== undefined) rows = rows.where(holds(sql`teams.name`, query.search));
  const list = `teams:${query.retired === true}`;
  const page = await fetchPage(rows, list, byName(nameKey, sql`teams.id`), query);
  return {
    type: "body",
    body: { teams: await showTeams(db, caller, page.rows), next_cursor: page.next_cursor },
  };
};

async function answer({ store: { db } }: Context, caller: Caller, teamId: string) {
  const rows = await db.selectFrom("teams").selectAll().where("id", "=", teamId).execute();
  const [team] = await showTeams(db, caller, rows);
  if (team === undefined) throw noTeam();
  return { type: "body", body: { team } } as const;
}

/** Own. */
const getTeam: Teams["getTeam"] = async (context, { caller, params }) => {
  checkSeen(caller, params.team_id);
  return await answer(context, caller, params.team_id);
};

/** Own: whoever makes it is its first admin. */
const createTeam: Teams["createTeam"] = async (context, request) => {
  const { caller, body } = request;
  const { userId } = requirePerson(caller);
  requireAdmin(caller);
  const id = context.ids.make("team");
  const recorded = await changing(context, async (tx) => {
    const row = { id, name: storableText(body.name), plan: body.plan ?? "pro" };
    await tx.insertInto("teams").values(row).execute();
    await tx.insertInto("team_members").values({ team_id: id, user_id: userId, role: "admin" }).execute();
    return await record(tx, request, {
      action: "team.create",
      object: { kind: "team", id, name: row.name },
      teamId: id,
      changes: changesOf("team", null, { name: row.name, plan: row.plan }),
    });
  });
  const { kind, credentialId, role } = requirePerson(caller);
  const teamRoles = new Map([...requirePerson(caller).teamRoles, [id, "admin" as const]]);
  const asAdmin = { kind, credentialId, userId, role, teamRoles, teamIds: [...teamRoles.keys()] };
  return { ...(await answer(context, asAdmin, id)), recorded };
};

/** Own. */
const updateTeam: Teams["updateTeam"] = async (context, request) => {
  const { caller, params, body } = request;
  checkManages(caller, params.team_id);
  if (body.plan != null) requireAdmin(caller, "plan");
  if (body.retired != null) requireAdmin(caller, "retired");
  const recorded = await changing(context, async (tx) => {
    const current = await lockedTeam(tx, params.team_id);
    checkVersion(current.version, body.version);
    const name = body.name == null ? null : storableText(body.name);
    const fields: string[] = differing(current, { name, plan: body.plan });
    const isRetired = current.retired_at !== null;
    const turns = body.retired != null && body.retired !== isRetired;
    if (turns) fields.push("retired");
    checkManaged(current.managed, fields);
    if (fields.length === 0) return nothingChanged();
    await tx
      .updateTable("teams")
      .set({
        ...(name !== null && { name }),
        ...(body.plan != null && { plan: body.plan }),
        ...(turns && { retired_at: isRetired ? null : sql<Date>`now()` }),
        version: sql`version + 1`,
      })
      .where("id", "=", current.id)
      .execute();
    const before = { name: current.name, plan: current.plan, retired: isRetired };
    const after = {
      name: name ?? current.name,
      plan: body.plan ?? current.plan,
      retired: body.retired ?? isRetired,
    };
    return await record(tx, request, {
      action: "team.update",
      object: { kind: "team", id: current.id, name: after.name },
      teamId: current.id,
      changes: changesOf("team", before, after),
    });
  });
  return { ...(await answer(context, caller, params.team_id)), recorded };
};

/** Own: by name. */
const listTeamMembers: Teams["listTeamMembers"] = async ({ store: { db } }, { caller, params, query }) => {
  checkSeen(caller, params.team_id);
  const list = `members:${params.team_id}`;
  const rows = db
    .selectFrom("users")
    .innerJoin("team_members", "team_members.user_id", "users.id")
    .selectAll("users")
    .select(["team_members.role as team_role", "given_by_groups", personNameKey.as("key")])
    .where("team_members.team_id", "=", params.team_id);
  const page = await fetchPage(rows, list, byName(personNameKey, sql`users.id`), query);
  if (page.rows.length === 0 && isInstallationAdmin(caller)) await checkThere(db, params.team_id);
  const members = page.rows.map((row) => ({
    user: showPerson(row),
    role: row.team_role,
    by_groups: row.given_by_groups,
    state: personState(row),
  }));
  return { type: "body", body: { members, next_cursor: page.next_cursor } };
};

async function checkThere(db: Context["store"]["db"], teamId: string): Promise<void> {
  const row = await db.selectFrom("teams").select("id").where("id", "=", teamId).executeTakeFirst();
  if (row === undefined) throw noTeam();
}

/** Own. */
const setTeamMember: Teams["setTeamMember"] = async (context, request) => {
  const { caller, params, body } = request;
  checkManages(caller, params.team_id);
  const { person, recorded } = await changing(context, async (tx) => {
    const team = await lockedTeam(tx, params.team_id);
    checkManaged(team.managed, ["members"]);
    const user = await lockedPerson(tx, params.user_id);
    const before = await memberRole(tx, team.id, user.id);
    await tx
      .insertInto("team_members")
      .values({ team_id: team.id, user_id: user.id, role: body.role })
      .onConflict((conflict) =>
        conflict.columns(["team_id", "user_id"]).doUpdateSet({ role: body.role, given_by_groups: false }),
      )
      .execute();
    if (before === body.role) return { person: user, recorded: nothingChanged() };
    const recorded = await record(tx, request, {
      action: "team.set_member",
      object: { kind: "team", id: team.id, name: team.name },
      teamId: team.id,
      changes: [shownChange(user.id, before, body.role)],
    });
    return { person: user, recorded };
  });
  return {
    type: "body",
    body: {
      member: { user: showPerson(person), role: body.role, by_groups: false, state: personState(person) },
    },
    recorded,
  };
};

/** The role of a member; null for who is none. */
async function memberRole(tx: Tx, teamId: string, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom("team_members")
    .select("role")
    .where("team_id", "=", teamId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.role ?? null;
}

/** Own. */
const removeTeamMember: Teams["removeTeamMember"] = async (context, request) => {
  const { caller, params } = request;
  checkManages(caller, params.team_id);
  const recorded = await changing(context, async (tx) => {
    const team = await lockedTeam(tx, params.team_id);
    checkManaged(team.managed, ["members"]);
    const before = await memberRole(tx, team.id, storableText(params.user_id));
    if (before === null) return nothingChanged();
    await tx
      .deleteFrom("team_members")
      .where("team_id", "=", team.id)
      .where("user_id", "=", params.user_id)
      .execute();
    return await record(tx, request, {
      action: "team.remove_member",
      object: { kind: "team", id: team.id, name: team.name },
      teamId: team.id,
      changes: [shownChange(params.user_id, before, null)],
    });
  });
  return { type: "none", recorded };
};

export const adminTeamHandlers: Teams = {
  listAdminTeams,
  getTeam,
  createTeam,
  updateTeam,
  listTeamMembers,
  setTeamMember,
  removeTeamMember,
};
