import { rightsOver } from "../../contract/admin.ts";
import { neededRole, type TeamRight, type TeamRole, teamRoles } from "../../contract/roles.ts";
import type { Caller } from "../areas/handler.ts";
import { inTeam, teamsOf } from "./actor.ts";
import { type ArtifactFacts, artifactRole, mayDeleteArtifact, mayManageAccess } from "./artifacts.ts";
import { type Decision, decide, type Owner, roleIn, withRight } from "./roles.ts";
import { mayUseServer } from "./servers.ts";
import { mayReadSource, type SourceOwner, teamOfSource } from "./sources.ts";

/** Why somebody may do something, or may not. Of an artifact, `share` is changing who may open it. */
export interface Explained {
  readonly right: TeamRight | "share" | "delete";
  readonly allowed: boolean;
  readonly rule: Decision["rule"] | "granted" | "everyone" | "not_creator" | "deactivated";
  readonly role: TeamRole | null;
  readonly needs: TeamRole | null;
  readonly team_id: string | null;
}

/** Somebody as the caller that they would be now. */
type Somebody = Caller & { readonly isActive: boolean };
type Person = Extract<Caller, { userId: string }> & { readonly isActive: boolean };

const ended = (person: Somebody, explained: Explained): Explained =>
  person.isActive ? explained : { ...explained, allowed: false, rule: "deactivated" };

/** Whether somebody has this right, and the rule that says so, by the function that decides when they try. */
export function explainRight(person: Somebody, owner: Owner, right: TeamRight): Explained {
  const { teamId } = owner;
  const needs = teamId === null ? null : neededRole(right);
  return ended(person, { right, ...decide(person, owner, right), needs, team_id: teamId });
}

/** What somebody may do with a knowledge source: of one that is everybody's they read it, whoever it belongs to. */
export function explainSource(person: Person, source: SourceOwner): readonly Explained[] {
  const owner = { userId: source.createdByUserId, teamId: teamOfSource(source) };
  return rightsOver.source.map((right) => {
    const explained = explainRight(person, owner, right);
    const isEveryones = right === "see" && !explained.allowed && mayReadSource(person, source);
    return isEveryones ? ended(person, { ...explained, allowed: true, rule: "everyone" }) : explained;
  });
}

/**
 * What somebody may do with an MCP server: through a connection of their own, then through that of each team of theirs.
 * @param teams those that may use it; null: everybody
 */
export function explainServer(person: Person, teams: readonly string[] | null): readonly Explained[] {
  // The strongest role that any of these teams gives decides about a connection of one's own.
  const role = teamRoles.findLast((each) => teams?.some((team) => roleIn(person, team) === each)) ?? null;
  const own = rightsOver.mcp_server.map((right): Explained => {
    const allowed = mayUseServer(withRight(person, right), teams, null);
    if (teams === null)
      return ended(person, { right, allowed, rule: "everyone", role: null, needs: null, team_id: null });
    const rule = role === null ? "not_member" : "team_role";
    return ended(person, { right, allowed, rule, role, needs: neededRole(right), team_id: null });
  });
  const usable = teamsOf(person).filter((team) => mayUseServer(person, teams, team));
  const through = usable.flatMap((teamId) =>
    rightsOver.mcp_server
      .filter((right) => right !== "see")
      .map((right) => explainRight(person, { userId: null, teamId }, right)),
  );
  return [...own, ...through];
}

/** What somebody may do with an artifact, and by which rule, by the functions that decide when they try. */
export function explainArtifact(person: Person, artifact: ArtifactFacts): readonly Explained[] {
  const { teamId, creatorId } = artifact;
  const operator = withRight(person, "operate");
  const held = artifactRole(person, artifact);
  const isCreator = creatorId === person.userId;
  // Of an artifact that was made for a team all members see it; whatever is more was granted.
  const isMembers = teamId !== null && inTeam(person, teamId);
  const seen: Explained["rule"] = isCreator
    ? "owner"
    : held === null
      ? "not_member"
      : isMembers
        ? "team_role"
        : "granted";
  const ofTeam = (team: string | null, right: TeamRight) => ({
    ...{ role: team === null ? null : roleIn(person, team), team_id: team },
    needs: team === null ? null : neededRole(right),
  });
  // A team that was made its editor, in which this person may only look.
  const lacking = artifact.teams.find(
    (grant) =>
      mayManageAccess(artifactRole(person, { ...nobodys, teams: [grant] })) &&
      !inTeam(operator, grant.teamId),
  );
  const mayShare = mayManageAccess(artifactRole(operator, artifact));
  const isBarred = !mayShare && lacking !== undefined;
  const mayDelete = mayDeleteArtifact(operator, artifact);
  const ofMembers = creatorId === null && isMembers;
  return [
    { right: "see" as const, allowed: held !== null, rule: seen, ...ofTeam(teamId, "see") },
    {
      ...{ right: "share" as const, allowed: mayShare },
      rule: isBarred ? ("team_role" as const) : mayShare && !isCreator ? ("granted" as const) : seen,
      ...(isBarred ? ofTeam(lacking.teamId, "operate") : { ...ofTeam(teamId, "operate"), needs: null }),
    },
    {
      ...{ right: "delete" as const, allowed: mayDelete },
      rule: isCreator ? ("owner" as const) : ofMembers ? ("team_role" as const) : ("not_creator" as const),
      ...(ofMembers ? ofTeam(teamId, "operate") : ofTeam(null, "operate")),
    },
  ].map((explained) => ended(person, explained));
}

/** An artifact that nobody made or was given. */
const nobodys: ArtifactFacts = { creatorId: null, teamId: null, people: [], teams: [], organization: null };
