import type { endpoints } from "../../contract/endpoints.ts";
import { rightsOfRole, teamRights } from "../../contract/roles.ts";
import type { Context } from "../context.ts";
import { callerOfPerson } from "../credentials/caller-by-id.ts";
import { teamsOf } from "../permission/actor.ts";
import { explainRight } from "../permission/explain.ts";
import { isInstallationAdmin, requireSelfOrAdmin, roleIn } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { noPerson } from "./admin-changes.ts";
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

type Asked = { readonly object: string; readonly object_id: string };

/** Whose the object is; null where there is none. */
async function ownerOfObject({ store: { db } }: Context, { object, object_id: id }: Asked) {
  if (object === "team") {
    const team = await db.selectFrom("teams").select("id").where("id", "=", id).executeTakeFirst();
    return team === undefined ? null : { userId: null, teamId: team.id };
  }
  if (object === "agent" || object === "flow") {
    const found =
      object === "agent"
        ? await db
            .selectFrom("agents")
            .select(["owner_id as user_id", "team_id"])
            .where("id", "=", id)
            .where("is_active", "=", true)
            .executeTakeFirst()
        : await db
            .selectFrom("saved_items")
            .select(["user_id", "team_id"])
            .where("id", "=", id)
            .where("removed_at", "is", null)
            .executeTakeFirst();
    // What is a team's is its members', whoever made it.
    return found && { userId: found.team_id === null ? found.user_id : null, teamId: found.team_id };
  }
  const found =
    object === "run"
      ? await db
          .selectFrom("executions")
          .select(["user_id", "team_id"])
          .where("id", "=", id)
          .where("kind", "=", "pipeline")
          .executeTakeFirst()
      : await db
          .selectFrom("interactions")
          .select(["user_id", "team_id"])
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .executeTakeFirst();
  return found && { userId: found.user_id, teamId: found.team_id };
}

/** Own: for others, by the caller that this person would be now. */
const explainPermissions: Roles["explainPermissions"] = async (context, { caller, params, query }) => {
  requireSelfOrAdmin(caller, params.user_id);
  const person = await callerOfPerson(context.store, params.user_id);
  if (person === null) throw noPerson();
  const owner = await ownerOfObject(context, query);
  const none = new ServiceError("not_found", { message: "There is no such object.", param: "object_id" });
  if (!owner) throw none;
  const answers = teamRights.map((right) =>
    explainRight(person, { ...owner, isTeam: query.object === "team" }, right),
  );
  if (!isInstallationAdmin(caller) && !answers.some(({ allowed }) => allowed)) throw none;
  return { type: "body", body: { answers } };
};

export const adminRoles: Roles = { getOwnRoles, explainPermissions };
