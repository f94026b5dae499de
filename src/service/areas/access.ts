import type { endpoints } from "../../contract/endpoints.ts";
import { changesOf, shownChange } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { teamScope } from "../permission/actor.ts";
import { type ArtifactRole, artifactRole, mayManageAccess } from "../permission/artifacts.ts";
import { withRight } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { applyAccessChange } from "./access-change.ts";
import { changesNothing, checkAccessChange } from "./access-check.ts";
import { showAccess } from "./access-view.ts";
import { type LoadedArtifact, loadArtifact } from "./artifact-rows.ts";
import type { Caller, Handlers } from "./handler.ts";

type Access = Pick<Handlers<typeof endpoints>, "updateArtifactAccess" | "getArtifactAccess">;

/**
 * The team scope of a team key, which must name it (§4.7).
 * @throws ServiceError `invalid_parameter` where it is missing or given twice differently, `forbidden` for a foreign team
 */
function checkScope(caller: Caller, inQuery: string | null | undefined, inBody: string | null | undefined) {
  if (inQuery != null && inBody != null && inQuery !== inBody) {
    const message = "team_id is one team in the query and another one in the body.";
    throw new ServiceError("invalid_parameter", { message, param: "team_id" });
  }
  const teamId = inQuery ?? inBody;
  if (caller.kind === "team" && teamId == null) {
    throw new ServiceError("invalid_parameter", { message: "A team key needs team_id.", param: "team_id" });
  }
  teamScope(caller, teamId);
}

async function readable(db: Context["store"]["db"], caller: Caller, id: string, lock: boolean) {
  const loaded = await loadArtifact(db, id, lock);
  const role = loaded === null ? null : artifactRole(caller, loaded.facts);
  if (loaded === null || role === null) {
    throw new ServiceError("not_found", { message: "There is no such artifact.", param: "artifact_id" });
  }
  return { ...loaded, role };
}

function checkManages(role: ArtifactRole): void {
  if (mayManageAccess(role)) return;
  throw new ServiceError("forbidden", { message: "You cannot manage who may open this artifact." });
}

/**
 * §4.7, §7.2. The artifact's row is locked: changes of two managers happen one after the other. A password is hashed
 * before, as that takes its time.
 */
const updateArtifactAccess: Access["updateArtifactAccess"] = async (context, request) => {
  const { caller, params, query, body } = request;
  checkAccessChange(body);
  checkScope(caller, query.team_id, body.team_id);
  const { db } = context.store;
  let passwordHash: string | null = null;
  if (body.link?.password !== undefined) {
    checkManages((await readable(db, caller, params.artifact_id, false)).role);
    passwordHash = await context.passwords.hash(body.link.password);
  }
  const result = await db.transaction().execute(async (tx) => {
    const before = await readable(tx, caller, params.artifact_id, true);
    // Whoever may read it may also read its settings this way, as far as they are shown.
    if (changesNothing(body)) return { loaded: before, notified: [], recorded: nothingChanged() };
    checkManages(before.role);
    const checked = { change: body, passwordHash, caller, ids: context.ids };
    const notified = await applyAccessChange(tx, before, checked);
    const after = (await loadArtifact(tx, params.artifact_id, false)) ?? before;
    // Who gives up the own access is shown this change, and nothing after it.
    const { id, filename, team_id } = after.artifact;
    const recorded = await record(tx, request, {
      action: "artifact.share",
      object: { kind: "artifact", id, name: filename },
      teamId: team_id,
      changes: changesOfAccess(before, after),
    });
    const role = artifactRole(caller, after.facts) ?? before.role;
    return { loaded: { ...after, role }, notified, recorded };
  });
  const access = await showAccess(context, caller, result.loaded, result.loaded.role);
  const { notified, recorded } = result;
  return { type: "body", body: { access, notified: [...notified] }, recorded };
};

/** Who may open it now and could not before, or the other way round; of a password only that it is another one. */
function changesOfAccess(before: LoadedArtifact, after: LoadedArtifact) {
  const link = ({ artifact }: LoadedArtifact) => {
    const { organization_role, link_mode, link_role, link_password } = artifact;
    return { organization_role, link_mode, link_role, link_password };
  };
  const grants = ({ people, facts }: LoadedArtifact) =>
    new Map([
      ...people.map(({ email, role }) => [email, role] as const),
      ...facts.teams.map(({ teamId, role }) => [`team ${teamId}`, role] as const),
    ]);
  const [had, has] = [grants(before), grants(after)];
  const named = [...new Set([...had.keys(), ...has.keys()])].filter((who) => had.get(who) !== has.get(who));
  return [
    ...changesOf("artifact", link(before), link(after)),
    ...named.slice(0, 100).map((who) => shownChange(who, had.get(who), has.get(who))),
  ];
}

/** Public: the present settings. */
const getArtifactAccess: Access["getArtifactAccess"] = async (context, { caller, params, query }) => {
  checkScope(caller, query.team_id, null);
  const loaded = await readable(context.store.db, caller, params.artifact_id, false);
  // Whose role in a team does not let them share is shown what readers are, though the team was made an editor.
  const changes = mayManageAccess(artifactRole(withRight(caller, "operate"), loaded.facts));
  const shown = await showAccess(context, caller, loaded, changes ? loaded.role : "viewer");
  return { type: "body", body: { access: shown } };
};

export const accessHandlers: Access = { updateArtifactAccess, getArtifactAccess };
