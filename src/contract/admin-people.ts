import * as z from "zod/mini";
import { aName, email, inInstallation, inTeam, invitation, ofAdmin, plans, version } from "./admin.ts";
import { endpoint } from "./define.ts";
import { list } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { installationRoles, teamRoles } from "./roles.ts";
import { count, nextCursor, page, text, utcTime } from "./wire.ts";

/** A person as those see them who look after people. */
export const adminPerson = z.object({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  plan: openEnum(plans),
  role: inInstallation,
  /** The identity provider's groups give the role; here it is `managed_by_provider`. */
  role_by_groups: z.boolean(),
  /** `invited`: has a link that was never used. */
  state: openEnum(["active", "invited", "deactivated"]),
  /** `by_groups`: the identity provider's groups say so. */
  teams: z.array(z.object({ id: z.string(), name: z.string(), role: inTeam, by_groups: z.boolean() })),
  /** The fields that the workspace's file says: they are changed there, and here they are `managed_by_file`. */
  managed: z.array(openEnum(["email", "first_name", "last_name", "plan", "role"])),
  /** When one of their keys or sessions was used last, to the minute. */
  last_seen_at: z.nullable(utcTime),
  deactivated_at: z.nullable(utcTime),
  version: count,
});
export type AdminPerson = z.output<typeof adminPerson>;

const byId = z.object({ user_id: text });
const one = z.object({ person: adminPerson });

/** Own: all people by name; for admins of the installation, and of a team, who add them to theirs. */
export const listPeople = endpoint({
  ...ofAdmin,
  name: "listPeople",
  summary: "List people",
  method: "GET",
  path: "/admin/people",
  kind: "read",
  query: z.object({
    /** A part of a name or e-mail address, in any case. */
    search: z.optional(text),
    state: z.optional(z.enum(["active", "invited", "deactivated"])),
    ...page,
  }),
  response: z.object({ people: z.array(adminPerson), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/** Own: one person; for admins of the installation, and everyone about themselves. */
export const getPerson = endpoint({
  ...ofAdmin,
  name: "getPerson",
  summary: "Get a person",
  method: "GET",
  path: "/admin/people/{user_id}",
  kind: "read",
  params: byId,
  response: one,
  conditional: true,
  errors: ["not_found"],
});

/** Who is invited, and as what. */
export const personInvite = z.object({
  email,
  first_name: aName,
  last_name: aName,
  /** `pro` without it. */
  plan: z.nullish(z.enum(plans)),
  /** `member` without it. */
  role: z.nullish(z.enum(installationRoles)),
  teams: z.nullish(list(z.object({ id: text, role: z.enum(teamRoles) }), 100)),
});

/**
 * Own: adds a person, and makes the link that signs them in once, within seven days. `email_taken` naming the field where
 * somebody has the address.
 */
export const invitePerson = endpoint({
  ...ofAdmin,
  name: "invitePerson",
  summary: "Invite a person",
  method: "POST",
  path: "/admin/people",
  kind: "write",
  body: personInvite,
  response: z.object({ person: adminPerson, invitation }),
  errors: ["email_taken", "managed_by_file"],
});

/** What may change of a person; null means absent. */
export const personChange = z.object({
  email: z.nullish(email),
  first_name: z.nullish(aName),
  last_name: z.nullish(aName),
  plan: z.nullish(z.enum(plans)),
  role: z.nullish(z.enum(installationRoles)),
  active: z.nullish(z.boolean()),
  version,
});

/**
 * Own: changes a person; only what is sent changes. `active: false` ends all their sessions, and their keys and links stop
 * at the next request; `active: true` lets the keys work again. The last active admin is `last_admin`.
 */
export const updatePerson = endpoint({
  ...ofAdmin,
  name: "updatePerson",
  summary: "Change, deactivate or reactivate a person",
  method: "PATCH",
  path: "/admin/people/{user_id}",
  kind: "write",
  params: byId,
  body: personChange,
  response: one,
  errors: [
    "not_found",
    "managed_by_file",
    "managed_by_provider",
    "email_taken",
    "last_admin",
    "version_conflict",
  ],
});

/** Own: a new link that signs them in once, within seven days; the one before stops working. `person_inactive` for deactivated ones. */
export const renewInvitation = endpoint({
  ...ofAdmin,
  name: "renewInvitation",
  summary: "Make a new sign-in link for a person",
  method: "POST",
  path: "/admin/people/{user_id}/invitation",
  kind: "write",
  params: byId,
  response: z.object({ invitation }),
  errors: ["not_found", "person_inactive"],
});

/** What somebody may own, with what they have themselves, and at the end what others let them see. */
export const ownedKinds = [
  "agents",
  "flows",
  "knowledge_sources",
  "evaluations",
  "conversations",
  "runs",
  "artifacts",
  "connections",
  "keys",
  "shared_with_them",
] as const;

/**
 * What of it can be given to another. Flows are whose the workspace's files say; what was run or said stays a record of who did;
 * keys and sign-ins to MCP servers act as whoever made them.
 */
export const movableKinds = ["agents", "knowledge_sources", "evaluations", "artifacts"] as const;

const owned = z.array(
  z.object({
    kind: openEnum(ownedKinds),
    /** What is theirs alone, */
    own: count,
    /** and what they made for a team, which stays the team's whatever becomes of them. */
    for_teams: count,
    /** Of `own`, what handing over moves. */
    movable: count,
  }),
);

/** Own: what a person owns, by kind; for admins of the installation. */
export const getOwned = endpoint({
  ...ofAdmin,
  name: "getOwned",
  summary: "What a person owns",
  method: "GET",
  path: "/admin/people/{user_id}/owned",
  kind: "read",
  params: byId,
  response: z.object({ owned }),
  errors: ["not_found"],
});

/**
 * Own: gives what a person alone owns to another, in one transaction; what `kinds` names, else all that can be moved. What is
 * at work goes on for whom it began. `person_inactive` where the other is deactivated.
 */
export const handOver = endpoint({
  ...ofAdmin,
  name: "handOver",
  summary: "Give what a person owns to another",
  method: "POST",
  path: "/admin/people/{user_id}/hand-over",
  kind: "write",
  params: byId,
  body: z.object({ to: text, kinds: z.nullish(list(z.enum(movableKinds), movableKinds.length)) }),
  response: z.object({ moved: z.array(z.object({ kind: openEnum(movableKinds), count })) }),
  errors: ["not_found", "person_inactive"],
});
