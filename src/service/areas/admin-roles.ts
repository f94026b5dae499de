import { sql } from "kysely";
import type { permissionObjects } from "../../contract/admin.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { rightsOfRole, type TeamRight, teamRights } from "../../contract/roles.ts";
import type { Context } from "../context.ts";
import { callerOfPerson } from "../credentials/caller-by-id.ts";
import { teamsOf } from "../permission/actor.ts";
import { rightsInOwnConversation, rightsInOwnRun } from "../permission/executions.ts";
import { explainArtifact, explainRight } from "../permission/explain.ts";
import { isInstallationAdmin, requireSelfOrAdmin, roleIn } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { noPerson } from "./admin-changes.ts";
import { loadArtifact } from "./artifact-rows.ts";
import { personById } from "./console.ts";
import type { Handlers } from "./handler.ts";
import { teamsById } from "./teams.ts";

type Roles = Pick<Handlers<typeof endpoints>, "getOwnRoles" | "explainPermissions">;

/** Own. */
const getOwnRoles: Roles["getOwnRoles"] = async (context, { caller }) => {
  const teams = (await teamsById(context, teamsOf(caller))).flatMap((team) => {
    const role = roleIn(caller, team.id);
    return role === null ? [] : [{ ...team, role, rights: [...rightsOfRole[role]] }];
  });
  if (caller.kind === "team") return { type: "body", body: { user: null, role: null, teams } };
  const user = await personById(context, caller.userId);
  return { type: "body", body: { user, role: caller.role, teams } };
};

type Table =
  | "teams"
  | "agents"
  | "saved_items"
  | "executions"
  | "interactions"
  | "knowledge_sources"
  | "evaluations";

/** Where an object of a kind is, which column says whose, and what else must hold. */
const places: Readonly<
  Record<
    Exclude<(typeof permissionObjects)[number], "artifact">,
    { readonly from: Table; readonly owner: string; readonly team: string; readonly where: string }
  >
> = {
  team: { from: "teams", owner: "null", team: "id", where: "true" },
  // What is a team's is its members', whoever made it.
  agent: { from: "agents", owner: "owner_id", team: "team_id", where: "is_active" },
  flow: { from: "saved_items", owner: "user_id", team: "team_id", where: "removed_at is null" },
  run: { from: "executions", owner: "user_id", team: "team_id", where: "kind = 'pipeline'" },
  source: {
    ...{ from: "knowledge_sources", owner: "created_by_user_id", team: "team_id" },
    where: "deleted_at is null",
  },
  evaluation: { from: "evaluations", owner: "owner_id", team: "team_id", where: "deleted_at is null" },
  conversation: { from: "interactions", owner: "user_id", team: "team_id", where: "deleted_at is null" },
};

/** What whoever began it may do with it beyond their role in its team. */
const begun: Readonly<Partial<Record<Asked["object"], readonly TeamRight[]>>> = {
  run: rightsInOwnRun,
  conversation: rightsInOwnConversation,
};

type Asked = { readonly object: (typeof permissionObjects)[number]; readonly object_id: string };
type Person = Parameters<typeof explainArtifact>[0];

/** The answers about an object; null where there is none. */
async function explain(context: Context, person: Person, { object, object_id: id }: Asked) {
  const { db } = context.store;
  if (object === "artifact") {
    const loaded = await loadArtifact(db, id, false);
    return loaded && explainArtifact(person, loaded.facts);
  }
  const { from, owner, team, where } = places[object];
  const { rows } = await sql<{ user_id: string | null; team_id: string | null }>`
    select ${sql.raw(owner)}::text as user_id, ${sql.raw(team)}::text as team_id
      from ${sql.raw(from)} where id = ${id} and ${sql.raw(where)}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const whose = { userId: found.user_id, teamId: found.team_id, isTeam: object === "team" };
  const rights = begun[object];
  return teamRights.map((right) =>
    explainRight(person, { ...whose, ...(rights !== undefined && { begun: rights }) }, right),
  );
}

/** Own: for others, by the caller that this person would be now. */
const explainPermissions: Roles["explainPermissions"] = async (context, { caller, params, query }) => {
  requireSelfOrAdmin(caller, params.user_id);
  const person = await callerOfPerson(context.store, params.user_id);
  if (person === null) throw noPerson();
  const answers = await explain(context, person, query);
  const none = new ServiceError("not_found", { message: "There is no such object.", param: "object_id" });
  if (answers === null) throw none;
  if (!isInstallationAdmin(caller) && !answers.some(({ allowed }) => allowed)) throw none;
  return { type: "body", body: { answers: [...answers] } };
};

export const adminRoles: Roles = { getOwnRoles, explainPermissions };
