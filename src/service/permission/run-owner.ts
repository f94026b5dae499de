import type { Kysely } from "kysely";
import { rightsOfRole } from "../../contract/roles.ts";
import type { Caller } from "../areas/handler.ts";
import type { Database } from "../store/schema.ts";
import { inTeam } from "./actor.ts";
import { maySee, type Owned } from "./owned.ts";

/** Whose an execution is, as it was started. */
export interface RunOwner {
  readonly userId: string | null;
  readonly teamId: string | null;
}

/** Whether a run or turn may use this flow or agent on its own: what its user may see, or what belongs to its team. */
export async function ownerMaySee(db: Kysely<Database>, owner: RunOwner, object: Owned): Promise<boolean> {
  return (await callersOf(db, owner)).some((caller) => maySee(caller, object));
}

/** Whether a run acts for somebody of one of these teams. */
export async function ownerInTeams(
  db: Kysely<Database>,
  owner: RunOwner,
  teams: readonly string[],
): Promise<boolean> {
  const callers = await callersOf(db, owner);
  return teams.some((team) => callers.some((caller) => inTeam(caller, team)));
}

/** The owner of an execution as those callers that may do what it may do. */
async function callersOf(db: Kysely<Database>, { userId, teamId }: RunOwner): Promise<Caller[]> {
  const callers: Caller[] = [];
  if (teamId !== null) callers.push({ kind: "team", credentialId: "", teamId, memberIds: [] });
  if (userId !== null) {
    const memberships = await db
      .selectFrom("active_members")
      .select(["team_id", "role"])
      .where("user_id", "=", userId)
      .execute();
    // What somebody may only see, nothing that acts for them may start.
    const operated = memberships.filter(({ role }) => rightsOfRole[role].includes("operate"));
    const teamRoles = new Map(operated.map(({ team_id, role }) => [team_id, role]));
    const teamIds = [...teamRoles.keys()];
    callers.push({ kind: "personal", credentialId: "", userId, role: "member", teamIds, teamRoles });
  }
  return callers;
}
