import * as z from "zod/mini";
import { person } from "./console.ts";
import { endpoint } from "./define.ts";
import { boundedText, name } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { installationRoles, type TeamRight, teamRights, teamRoles } from "./roles.ts";
import { text, utcTime } from "./wire.ts";

/** What every endpoint of the area has in common. */
export const ofAdmin = { tier: "own", capability: "admin", section: "Administration" } as const;

/** Plans, as §5.3 knows them. */
export const plans = ["free", "pro", "enterprise"] as const;

/** An e-mail address as a request gives it. */
export const email = boundedText(200).check(
  z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "must be an e-mail address"),
);

/** The version that was read; with it a change of something that was changed since is `version_conflict`. */
export const version = z.nullish(z.int().check(z.minimum(1)));

export const inInstallation = openEnum(installationRoles);
export const inTeam = openEnum(teamRoles);
export const aName = name;

/** A link that signs one person in once. It is in the answer that made it and nowhere else. */
export const invitation = z.object({
  /** Absolute; opens the console, signed in. */
  url: z.string(),
  expires_at: utcTime,
});

/** Own: what the caller may do, by the roles that they have now. What is not named here is not allowed. */
export const getOwnRoles = endpoint({
  ...ofAdmin,
  name: "getOwnRoles",
  summary: "Which roles and rights the caller has",
  method: "GET",
  path: "/me",
  kind: "read",
  response: z.object({
    /** Null for a team's key. */
    user: z.nullable(person),
    /** In the whole installation; null for a team's key. */
    role: z.nullable(inInstallation),
    /** The caller's teams by name. A team's key has the rights of an editor in its own. */
    teams: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: inTeam,
        rights: z.array(openEnum(teamRights)),
      }),
    ),
  }),
  conditional: true,
});

/** Why somebody may do something, or may not. */
const permissionRules = [
  "owner",
  "team_role",
  "installation_admin",
  "granted",
  "everyone",
  "not_member",
  "not_creator",
  "deactivated",
] as const;

/** What "what can they do" can be asked about. */
export const permissionObjects = [
  "agent",
  "flow",
  "run",
  "conversation",
  "artifact",
  "source",
  "evaluation",
  "mcp_server",
  "key",
  "team",
] as const;
type PermissionObject = (typeof permissionObjects)[number];

/**
 * Which rights mean something of each kind: those that endpoints about it take, in the order of the roles that have them first.
 * Of a team they are all that a role in it gives. A test compares them with the matrix of endpoints.
 */
export const rightsOver = {
  agent: ["see", "operate", "edit"],
  flow: ["see", "operate"],
  run: ["see", "operate"],
  conversation: ["see", "operate"],
  artifact: ["see", "share", "delete"],
  source: ["see", "edit"],
  evaluation: ["see", "edit"],
  mcp_server: ["see", "operate", "edit"],
  key: ["manage"],
  team: teamRights,
} as const satisfies Record<PermissionObject, readonly (TeamRight | "share" | "delete")[]>;

/**
 * Own: what a person may do with one object, and the rule behind each answer, by the function that decides when they try.
 * For admins of the installation about anybody, for everyone about themselves; of an object that is not there, or that the
 * caller may neither see nor administer, `not_found`.
 */
export const explainPermissions = endpoint({
  ...ofAdmin,
  name: "explainPermissions",
  summary: "What a person may do with an object, and why",
  method: "GET",
  path: "/admin/people/{user_id}/permissions",
  kind: "read",
  params: z.object({ user_id: text }),
  query: z.object({ object: z.enum(permissionObjects), object_id: text }),
  response: z.object({
    answers: z.array(
      z.object({
        /**
         * Only those that mean something of the kind. Of an artifact: `see`, `share` (change who may open it) and `delete`. Of an
         * MCP server first through a connection of their own, then `operate` and `edit` through that of each team of theirs.
         */
        right: openEnum([...teamRights, "share", "delete"]),
        allowed: z.boolean(),
        /**
         * `granted`: the artifact was shared with them, a team of theirs or everyone. `everyone`: it is for every person.
         * `not_member`: of its team, or it is another person's own and not shared with them. `not_creator`: only whoever made
         * it may. `deactivated`: nothing is allowed.
         */
        rule: openEnum(permissionRules),
        /** The role in the object's team that decides; null where none does. */
        role: z.nullable(inTeam),
        /** The weakest role that has the right in the object's team; null for a person's own. */
        needs: z.nullable(inTeam),
        /** The object's team, or whose connection to the server; null: it is a person's own. */
        team_id: z.nullable(z.string()),
      }),
    ),
  }),
  errors: ["not_found"],
});
