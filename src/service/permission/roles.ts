import { type Needed, rightsOfRole, type TeamRight, type TeamRole } from "../../contract/roles.ts";
import type { Caller } from "../areas/handler.ts";
import { ServiceError } from "../service-error.ts";

/** A team's key may do what an editor may, and look after nobody. */
const keyRole = "editor" satisfies TeamRole;

/** The caller's role in this team; null: they are not in it. */
export function roleIn(caller: Caller, teamId: string): TeamRole | null {
  if (caller.kind === "team") return caller.teamId === teamId ? keyRole : null;
  return caller.teamRoles.get(teamId) ?? null;
}

/** For whom the caller asks, whichever of their credentials they use: what is shared between people is shared between these. */
export function principalOf(caller: Caller): string {
  return caller.kind === "team" ? caller.teamId : caller.userId;
}

/** Whether the caller looks after the whole installation. It gives no right to see what others own. */
export function isInstallationAdmin(caller: Caller): boolean {
  return caller.kind !== "team" && caller.role === "admin";
}

/** Whose something is: a person's own, or a team's; `isTeam`: it is the team itself. */
export interface Owner {
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly isTeam?: boolean;
  /** What whoever began it may do with a run or conversation of a team, whatever they are in that team. */
  readonly begun?: readonly TeamRight[];
}

/** What was decided, and by which rule. */
export interface Decision {
  readonly allowed: boolean;
  readonly rule: "owner" | "team_role" | "installation_admin" | "not_member";
  /** Of the caller in the team; null where they have none. */
  readonly role: TeamRole | null;
}

/**
 * The one function that decides whether a caller has a right: by their role in the team, as one of those who look after all teams,
 * or as whoever owns what is no team's. What explains it (`explain.ts`) asks the same.
 */
export function decide(
  caller: Caller,
  { userId, teamId, isTeam = false, begun = [] }: Owner,
  right: TeamRight,
): Decision {
  const role = teamId === null ? null : roleIn(caller, teamId);
  if (role !== null && rightsOfRole[role].includes(right)) return { allowed: true, rule: "team_role", role };
  const isTheirs = caller.kind !== "team" && userId === caller.userId;
  if (isTheirs && (teamId === null || begun.includes(right))) return { allowed: true, rule: "owner", role };
  const isAdmins = isTeam && (right === "manage" || right === "see");
  if (isAdmins && isInstallationAdmin(caller)) return { allowed: true, rule: "installation_admin", role };
  return { allowed: false, rule: role === null ? "not_member" : "team_role", role };
}

/** Whether the caller's role in this team has the right. Of a team that they are not in, none. */
export function hasRight(caller: Caller, teamId: string, right: TeamRight): boolean {
  return decide(caller, { userId: null, teamId }, right).allowed;
}

/** Whether the caller looks after this team: one of its admins, or one of the installation's; null: after what is no team's. */
export function mayManageTeam(caller: Caller, teamId: string | null): boolean {
  if (teamId === null) return isInstallationAdmin(caller);
  return decide(caller, { userId: null, teamId, isTeam: true }, "manage").allowed;
}

/** The teams that the caller looks after as one of their admins. */
export function managedTeamsOf(caller: Caller): readonly string[] {
  if (caller.kind === "team") return [];
  return [...caller.teamRoles.keys()].filter((team) => hasRight(caller, team, "manage"));
}

/** @throws ServiceError `forbidden` (403) for who does not look after the team */
export function requireManager(caller: Caller, teamId: string): void {
  if (mayManageTeam(caller, teamId)) return;
  const message = "This takes the role admin in the team.";
  throw new ServiceError("forbidden", { message, param: "team_id" });
}

/** Whether the caller sees that this team is there. */
export function maySeeTeam(caller: Caller, teamId: string): boolean {
  return decide(caller, { userId: null, teamId, isTeam: true }, "see").allowed;
}

/** @throws ServiceError `forbidden` (403) for all but that person and admins of the installation */
export function requireSelfOrAdmin(caller: Caller, userId: string, param?: string): void {
  if (requirePerson(caller).userId !== userId) requireAdmin(caller, param);
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
