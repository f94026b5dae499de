import { type InstallationRole, type TeamRole, teamRoles } from "../../contract/roles.ts";
import type { SignInSettings } from "./settings.ts";

/** What a person's groups give them. */
export interface Grants {
  /** Whether one of their groups is mapped: everyone else stays out. */
  readonly isIn: boolean;
  readonly role: InstallationRole;
  readonly teams: ReadonlyMap<string, TeamRole>;
}

export const noGrants: Grants = { isIn: false, role: "member", teams: new Map() };

/** Of several groups the higher role counts. @param settings null: no provider is set up, and nothing is given */
export function grantsOf(settings: SignInSettings | null, groups: readonly string[]): Grants {
  const mapped = Object.entries(settings?.groups ?? {}).filter(([name]) => groups.includes(name));
  const teams = new Map<string, TeamRole>();
  for (const [, { teams: given }] of mapped) {
    for (const [team, role] of Object.entries(given)) {
      const before = teams.get(team);
      if (before === undefined || teamRoles.indexOf(before) < teamRoles.indexOf(role)) teams.set(team, role);
    }
  }
  const role = mapped.some(([, each]) => each.role === "admin") ? "admin" : "member";
  return { isIn: mapped.length > 0, role, teams };
}
