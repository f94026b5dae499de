/** What somebody is in the whole installation, weakest first. */
export const installationRoles = ["member", "admin"] as const;
export type InstallationRole = (typeof installationRoles)[number];

/** What somebody is in a team, weakest first: each may do what the one before may. */
export const teamRoles = ["viewer", "operator", "editor", "admin"] as const;
export type TeamRole = (typeof teamRoles)[number];

/** What may be done with what belongs to a team, in the order of the roles that have it first. */
export const teamRights = ["see", "operate", "edit", "manage"] as const;
export type TeamRight = (typeof teamRights)[number];

/** The rights of each role of a team. */
export const rightsOfRole: Readonly<Record<TeamRole, readonly TeamRight[]>> = {
  viewer: ["see"],
  operator: ["see", "operate"],
  editor: ["see", "operate", "edit"],
  admin: ["see", "operate", "edit", "manage"],
};
