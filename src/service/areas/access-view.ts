import { type Kysely, sql } from "kysely";
import type { ItemAccess } from "../../contract/access.ts";
import type { Context } from "../context.ts";
import { inTeam, teamsOf } from "../permission/actor.ts";
import { type ArtifactRole, mayManageAccess } from "../permission/artifacts.ts";
import type { Database } from "../store/schema.ts";
import type { LoadedArtifact } from "./artifact-rows.ts";
import type { Caller } from "./handler.ts";
import { sharedAddress } from "./shared-token.ts";

/**
 * Who may open an artifact (§2.4). Callers below editor see the settings and how many people and teams hold each role,
 * but no e-mail address, no team that they are not in, and not the address of the link.
 */
export async function showAccess(
  { store, signer, publicUrl }: Context,
  caller: Caller,
  loaded: LoadedArtifact,
  role: ArtifactRole,
): Promise<ItemAccess> {
  const { artifact, facts } = loaded;
  const people = await namedPeople(store.db, caller, loaded);
  const settings = {
    password_protected: artifact.link_mode === "password",
    organization_access: facts.organization === null ? null : { role: facts.organization },
    link: artifact.link_mode,
    link_role: artifact.link_role,
  };
  const teams = facts.teams.map(({ teamId, role: given }) => ({ team_id: teamId, role: given }));
  const made_for_team_id = facts.teamId;
  if (mayManageAccess(role)) {
    const { link_id } = artifact;
    const link_url = link_id === null ? null : sharedAddress(signer, publicUrl, link_id);
    return { ...settings, link_url, made_for_team_id, people, teams, grants_visibility: "full" };
  }
  return {
    ...settings,
    people: [],
    teams: [],
    grants_visibility: "limited",
    hidden_by_role: countByRole(people, teams),
    ...(made_for_team_id !== null && inTeam(caller, made_for_team_id) && { made_for_team_id }),
  };
}

/** The creator first, then everybody who was given access. Only the names of the caller's own colleagues are told. */
async function namedPeople(db: Kysely<Database>, caller: Caller, { artifact, people }: LoadedArtifact) {
  const users = await db
    .selectFrom("users")
    .leftJoin("team_members", "team_members.user_id", "users.id")
    .select(["users.id", "users.email", "first_name", "last_name", "team_members.team_id"])
    .where(({ eb, or }) =>
      or([
        eb("users.id", "=", artifact.user_id ?? ""),
        // One parameter, however many people there are.
        sql<boolean>`lower(email) = any(${people.map(({ email }) => email)}::text[])`,
      ]),
    )
    .execute();
  const teams = teamsOf(caller);
  const nameOf = (email: string) => {
    const rows = users.filter((user) => user.email.toLowerCase() === email);
    const own = caller.kind !== "team" && rows.some((user) => user.id === caller.userId);
    const colleague = rows.find((user) => own || (user.team_id !== null && teams.includes(user.team_id)));
    return colleague === undefined ? email : `${colleague.first_name} ${colleague.last_name}`.trim();
  };
  const owner = users.find((user) => user.id === artifact.user_id)?.email.toLowerCase();
  const listed = owner === undefined ? people : [{ email: owner, role: "owner" }, ...people];
  return listed.map(({ email, role }) => ({ email, name: nameOf(email), role }));
}

function countByRole(people: readonly { role: string }[], teams: readonly { role: string }[]) {
  const counts = new Map<string, { people: number; teams: number }>();
  const count = (role: string) => {
    const found = counts.get(role) ?? { people: 0, teams: 0 };
    counts.set(role, found);
    return found;
  };
  for (const { role } of people) count(role).people++;
  for (const { role } of teams) count(role).teams++;
  return Object.fromEntries(counts);
}
