import type { TeamRole } from "../../../contract/roles.ts";

/** What somebody is in a team, weakest first. */
export const teamRoleNames: Readonly<Record<string, string>> = {
  viewer: "Viewer",
  operator: "Operator",
  editor: "Editor",
  admin: "Admin",
} satisfies Record<TeamRole, string>;

/** The name of a role of a team; one that is not known as it came. */
export const teamRoleName = (role: string): string =>
  (Object.hasOwn(teamRoleNames, role) ? teamRoleNames[role] : undefined) ?? role;
