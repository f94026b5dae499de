import { rightsOfRole, type TeamRight, type TeamRole, teamRoles } from "../../contract/roles.ts";
import type { Caller } from "../areas/handler.ts";
import { type Decision, decide, type Owner } from "./roles.ts";

/** Why somebody may do something, or may not. */
export interface Explained {
  readonly right: TeamRight;
  readonly allowed: boolean;
  readonly rule: Decision["rule"] | "deactivated";
  readonly role: TeamRole | null;
  readonly needs: TeamRole | null;
  readonly team_id: string | null;
}

/** The weakest role with this right. */
export function neededRole(right: TeamRight): TeamRole {
  return teamRoles.find((role) => rightsOfRole[role].includes(right)) ?? "admin";
}

/** Whether somebody has this right, and the rule that says so, by the function that decides when they try. */
export function explainRight(
  person: Caller & { readonly isActive: boolean },
  owner: Owner,
  right: TeamRight,
): Explained {
  const { teamId } = owner;
  const decision = decide(person, owner, right);
  const needs = teamId === null ? null : neededRole(right);
  const explained = { right, ...decision, needs, team_id: teamId };
  return person.isActive ? explained : { ...explained, allowed: false, rule: "deactivated" };
}
