import { type Needed, rightsOfRole, type TeamRight, type TeamRole } from "../../contract/roles.ts";
import type { Caller } from "../areas/handler.ts";
import { ServiceError } from "../service-error.ts";

/** A team's key may do what an editor may, and look after nobody. */
export const keyRole = "editor" satisfies TeamRole;

/** The caller's role in this team; null: they are not in it. */
export function roleIn(caller: Caller, teamId: string): TeamRole | null {
  if (caller.kind === "team") return caller.teamId === teamId ? keyRole : null;
  return caller.teamRoles.get(teamId) ?? null;
}

/** Whether the caller looks after the whole installation. It gives no right to see what others own. */
export function isInstallationAdmin(caller: Caller): boolean {
  return caller.kind !== "team" && caller.role === "admin";
}

/** Whether the caller's role in this team has the right. Of a team that they are not in, none. */
export function hasRight(caller: Caller, teamId: string, right: TeamRight): boolean {
  const role = roleIn(caller, teamId);
  return role !== null && rightsOfRole[role].includes(right);
}

/** Whether the caller looks after this team: one of its admins, or one of the installation's. */
export function mayManageTeam(caller: Caller, teamId: string): boolean {
  return isInstallationAdmin(caller) || hasRight(caller, teamId, "manage");
}

/** @throws ServiceError `forbidden` (403) for all but admins of the installation */
export function requireAdmin(caller: Caller, param?: string): void {
  if (isInstallationAdmin(caller)) return;
  const message = "This is for admins of the installation.";
  throw new ServiceError("forbidden", param === undefined ? { message } : { message, param });
}

/**
 * The person who asks.
 * @throws ServiceError `forbidden` (403) for a team's key: it is no one
 */
export function requirePerson(caller: Caller): Exclude<Caller, { kind: "team" }> {
  if (caller.kind !== "team") return caller;
  throw new ServiceError("forbidden", { message: "A team's key is no person: use a person's credential." });
}

/**
 * The caller as an endpoint may see them: only in those teams where their role has the right that it takes. So each rule of this
 * room denies first what a role may not do, and answers as for what is not there; no function of an area has to think of it.
 * What looks after teams asks by itself who looks after which.
 */
export function withRight(caller: Caller, needed: Needed): Caller {
  if (caller.kind === "team" || (needed !== "operate" && needed !== "edit")) return caller;
  const teamIds = caller.teamIds.filter((team) => hasRight(caller, team, needed));
  if (teamIds.length === caller.teamIds.length) return caller;
  const teamRoles = new Map([...caller.teamRoles].filter(([team]) => teamIds.includes(team)));
  return { ...caller, teamIds, teamRoles };
}
