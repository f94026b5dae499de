import { rightsOfRole, type TeamRight, type TeamRole, teamRoles } from "../../contract/roles.ts";
import type { Caller } from "../areas/handler.ts";
import { isInstallationAdmin, roleIn } from "./roles.ts";

/** Why somebody may do something, or may not. */
export interface Explained {
  readonly right: TeamRight;
  readonly allowed: boolean;
  readonly rule: "owner" | "team_role" | "installation_admin" | "not_member" | "deactivated";
  readonly role: TeamRole | null;
  readonly needs: TeamRole | null;
  readonly team_id: string | null;
}

/** The weakest role with this right. */
export function neededRole(right: TeamRight): TeamRole {
  return teamRoles.find((role) => rightsOfRole[role].includes(right)) ?? "admin";
}

/**
 * Whether somebody has this right on what belongs to a person or a team, and the rule that says so.
 * @param isTeam whether the object is the team itself, which admins of the installation look after
 */
export function explainRights(
  person: Caller & { readonly isActive: boolean },
  { userId, teamId }: { readonly userId: string | null; readonly teamId: string | null },
  right: TeamRight,
  isTeam: boolean,
): Explained {
  const role = teamId === null ? null : roleIn(person, teamId);
  const needs = teamId === null ? null : neededRole(right);
  const facts = { right, role, needs, team_id: teamId };
  if (!person.isActive) return { ...facts, allowed: false, rule: "deactivated" };
  if (role !== null) return { ...facts, allowed: rightsOfRole[role].includes(right), rule: "team_role" };
  const looksAfter = isTeam && isInstallationAdmin(person) && (right === "manage" || right === "see");
  if (looksAfter) return { ...facts, allowed: true, rule: "installation_admin" };
  const isOwner = teamId === null && person.kind !== "team" && userId === person.userId;
  return { ...facts, allowed: isOwner, rule: isOwner ? "owner" : "not_member" };
}
