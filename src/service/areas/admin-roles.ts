import { sql } from "kysely";
import { type permissionObjects, rightsOver } from "../../contract/admin.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { rightsOfRole, type TeamRight } from "../../contract/roles.ts";
import type { Context } from "../context.ts";
import { callerOfPerson } from "../credentials/caller-by-id.ts";
import { teamsOf } from "../permission/actor.ts";
import { rightsInOwnConversation, rightsInOwnRun } from "../permission/executions.ts";
import {
  type Explained,
  explainArtifact,
  explainRight,
  explainServer,
  explainSource,
} from "../permission/explain.ts";
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

type Asked = { readonly object: (typeof permissionObjects)[number]; readonly object_id: string };
type Person = Parameters<typeof explainArtifact>[0];
type Explanations = readonly Explained[] | null;

/** Where an object of a kind is, which column says whose, and what else must hold. */
interface Place {
  readonly from:
    | "teams"
    | "agents"
    | "saved_items"
    | "executions"
    | "interactions"
    | "evaluations"
    | "credentials";
  readonly owner: string;
  readonly team: string;
  readonly where: string;
  /** What whoever began it may do with it beyond their role in its team. */
  readonly begun?: readonly TeamRight[];
  /** Who looks after the whole installation looks after it. */
  readonly isTeam?: true;
}

/** Of what a row says whose it is. */
const places = {
  team: { from: "teams", owner: "null", team: "id", where: "true", isTeam: true },
  // What is a team's is its members', whoever made it.
  agent: { from: "agents", owner: "owner_id", team: "team_id", where: "is_active" },
  flow: { from: "saved_items", owner: "user_id", team: "team_id", where: "removed_at is null" },
  run: {
    ...{ from: "executions", owner: "user_id", team: "team_id", where: "kind = 'pipeline'" },
    begun: rightsInOwnRun,
  },
  evaluation: { from: "evaluations", owner: "owner_id", team: "team_id", where: "deleted_at is null" },
  conversation: {
    ...{ from: "interactions", owner: "user_id", team: "team_id", where: "deleted_at is null" },
    begun: rightsInOwnConversation,
  },
  // As its list shows it: a key, and none that was revoked.
  key: {
    ...{ from: "credentials", owner: "user_id", team: "team_id", isTeam: true },
    where: "kind <> 'token' and revoked_at is null",
  },
} as const satisfies Partial<Record<Asked["object"], Place>>;

/** What is explained by more than whose it is. */
const special = {
  async artifact({ store }, person, id) {
    const loaded = await loadArtifact(store.db, id, false);
    return loaded && explainArtifact(person, loaded.facts);
  },
  async source({ store }, person, id) {
    const row = await store.db
      .selectFrom("knowledge_sources")
      .select(["scope", "team_id as teamId", "created_by_user_id as createdByUserId"])
      .where("id", "=", id)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    return row === undefined ? null : explainSource(person, row);
  },
  async mcp_server({ mcp }, person, id) {
    const server = mcp.servers.find((one) => one.id === id);
    return server === undefined ? null : explainServer(person, server.teams);
  },
} satisfies Record<
  Exclude<Asked["object"], keyof typeof places>,
  (context: Context, person: Person, id: string) => Promise<Explanations>
>;

/** The answers about an object; null where there is none. */
async function explain(context: Context, person: Person, { object, object_id: id }: Asked) {
  if (object === "artifact" || object === "source" || object === "mcp_server")
    return await special[object](context, person, id);
  const { from, owner, team, where, begun, isTeam }: Place = places[object];
  const { rows } = await sql<{ user_id: string | null; team_id: string | null }>`
    select ${sql.raw(owner)}::text as user_id, ${sql.raw(team)}::text as team_id
      from ${sql.raw(from)} where id = ${id} and ${sql.raw(where)}`.execute(context.store.db);
  const [found] = rows;
  if (found === undefined) return null;
  const whose = { userId: found.user_id, teamId: found.team_id };
  return rightsOver[object].map((right) =>
    explainRight(person, { ...whose, ...(isTeam && { isTeam }), ...(begun && { begun }) }, right),
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

export const adminRoleHandlers: Roles = { getOwnRoles, explainPermissions };
