import * as z from "zod/mini";
import { aName, inTeam, ofAdmin, plans, version } from "./admin.ts";
import { person } from "./console.ts";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { teamRights, teamRoles } from "./roles.ts";
import { count, flag, nextCursor, page, text, utcTime } from "./wire.ts";

/** A team as its members see it, and those who look after teams. */
export const adminTeam = z.object({
  id: z.string(),
  name: z.string(),
  plan: openEnum(plans),
  /** Active ones. */
  member_count: count,
  /** The caller's own role; null: an admin of the installation who is no member. */
  role: z.nullable(inTeam),
  rights: z.array(openEnum(teamRights)),
  /** The fields that the workspace's file says: they are changed there, and here they are `managed_by_file`. */
  managed: z.array(openEnum(["name", "plan", "members", "retired"])),
  /** Since when nobody can use it. */
  retired_at: z.nullable(utcTime),
  version: count,
});
export type AdminTeam = z.output<typeof adminTeam>;

/** Somebody in a team. */
export const teamMember = z.object({
  user: person,
  role: inTeam,
  /** The identity provider's groups say so: it ends with them. */
  by_groups: z.boolean(),
  state: openEnum(["active", "invited", "deactivated"]),
});
export type TeamMember = z.output<typeof teamMember>;

const byId = z.object({ team_id: text });
const ofMember = z.object({ team_id: text, user_id: text });
const one = z.object({ team: adminTeam });

/** Own: the caller's teams by name; for admins of the installation all. */
export const listAdminTeams = endpoint({
  ...ofAdmin,
  name: "listAdminTeams",
  summary: "List teams with roles",
  method: "GET",
  path: "/admin/teams",
  kind: "read",
  query: z.object({
    /** A part of the name, in any case. */
    search: z.optional(text),
    /** `true`: the retired ones. */
    retired: z.optional(flag),
    ...page,
  }),
  response: z.object({ teams: z.array(adminTeam), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/** Own: one team; `not_found` also for those who are neither in it nor admins of the installation. */
export const getTeam = endpoint({
  ...ofAdmin,
  name: "getTeam",
  summary: "Get a team",
  method: "GET",
  path: "/admin/teams/{team_id}",
  kind: "read",
  params: byId,
  response: one,
  conditional: true,
  errors: ["not_found"],
});

/** Own: makes a team, whose first admin is the caller; for admins of the installation. */
export const createTeam = endpoint({
  ...ofAdmin,
  name: "createTeam",
  summary: "Make a team",
  method: "POST",
  path: "/admin/teams",
  kind: "write",
  body: z.object({
    name: aName,
    /** `pro` without it. */
    plan: z.nullish(z.enum(plans)),
  }),
  response: one,
});

/**
 * Own: changes a team. Its admins rename it; its plan, and whether it is retired, is for admins of the installation. Of a
 * retired team nothing is seen and nothing starts; what is running ends as usual, and its keys stop at the next request.
 */
export const updateTeam = endpoint({
  ...ofAdmin,
  name: "updateTeam",
  summary: "Rename, retire or restore a team",
  method: "PATCH",
  path: "/admin/teams/{team_id}",
  kind: "write",
  params: byId,
  body: z.object({
    name: z.nullish(aName),
    plan: z.nullish(z.enum(plans)),
    retired: z.nullish(z.boolean()),
    version,
  }),
  response: one,
  errors: ["not_found", "managed_by_file", "version_conflict"],
});

/** Own: who is in a team, by name. */
export const listTeamMembers = endpoint({
  ...ofAdmin,
  name: "listTeamMembers",
  summary: "List a team's members with their roles",
  method: "GET",
  path: "/admin/teams/{team_id}/members",
  kind: "read",
  params: byId,
  query: z.object({ ...page }),
  response: z.object({ members: z.array(teamMember), next_cursor: nextCursor }),
  conditional: true,
  errors: ["not_found", "invalid_page_size", "invalid_cursor"],
});

/** Own: adds somebody to a team, or changes their role in it. */
export const setTeamMember = endpoint({
  ...ofAdmin,
  name: "setTeamMember",
  summary: "Add a member or change their role",
  method: "PUT",
  path: "/admin/teams/{team_id}/members/{user_id}",
  kind: "write",
  params: ofMember,
  body: z.object({ role: z.enum(teamRoles) }),
  response: z.object({ member: teamMember }),
  errors: ["not_found", "managed_by_file"],
});

/** Own: takes somebody out of a team: their next request sees nothing of it. Twice is the same as once. */
export const removeTeamMember = endpoint({
  ...ofAdmin,
  name: "removeTeamMember",
  summary: "Take a member out of a team",
  method: "DELETE",
  path: "/admin/teams/{team_id}/members/{user_id}",
  kind: "write",
  params: ofMember,
  response: "none",
  status: 204,
  errors: ["not_found", "managed_by_file"],
});
