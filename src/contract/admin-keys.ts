import * as z from "zod/mini";
import { aName, ofAdmin } from "./admin.ts";
import { person } from "./console.ts";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { count, flag, maybeText, nextCursor, page, team, text, utcTime } from "./wire.ts";

/** From where a credential was used: an address, and what the program calls itself. */
export const place = z.object({ address: z.nullable(z.string()), user_agent: z.nullable(z.string()) });

/** An API key as lists show it: the secret is kept nowhere. */
export const apiKey = z.object({
  id: z.string(),
  kind: openEnum(["personal", "team"]),
  name: z.string(),
  /** The readable beginning, such as `wh_personal_3fXa`. */
  prefix: z.string(),
  /** Of a personal key. */
  user: z.nullable(person),
  /** Of a team's key. */
  team: z.nullable(team),
  created_at: utcTime,
  /** To the minute; null: never. */
  last_used_at: z.nullable(utcTime),
  last_used_from: place,
  /** Null: it has no end. */
  expires_at: z.nullable(utcTime),
  /** All but `active` do not work: its time is over, its owner's plan has no keys, its person is deactivated or has to sign in with the identity provider again, or its team is retired. */
  state: openEnum(["active", "expired", "no_plan", "inactive"]),
});
export type ApiKey = z.output<typeof apiKey>;

/** A session of the console: somebody who signed in with a browser. */
export const session = z.object({
  id: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
  created_at: utcTime,
  last_used_at: z.nullable(utcTime),
  expires_at: utcTime,
  /** The browser as it named itself at sign-in, and from where. */
  signed_in_from: place,
  last_used_from: place,
});
export type Session = z.output<typeof session>;

/**
 * Own: keys that were not revoked, newest first: the caller's own; with `team_id` those of a team, for its admins; with
 * `user_id` another person's, for admins of the installation.
 */
export const listKeys = endpoint({
  ...ofAdmin,
  name: "listKeys",
  summary: "List API keys",
  method: "GET",
  path: "/admin/keys",
  kind: "read",
  query: z.object({ team_id: z.optional(text), user_id: z.optional(text), ...page }),
  response: z.object({ keys: z.array(apiKey), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/** Own: makes a key of the caller's, or of a team that they administer. `secret` is in this answer and nowhere else. */
export const createKey = endpoint({
  ...ofAdmin,
  name: "createKey",
  summary: "Make an API key",
  method: "POST",
  path: "/admin/keys",
  kind: "write",
  body: z.object({
    name: aName,
    team_id: maybeText,
    /** Null and absent: it has no end. */
    expires_in_days: z.nullish(z.int().check(z.minimum(1), z.maximum(3650))),
  }),
  response: z.object({ key: apiKey, secret: z.string() }),
});

/** Own: the next request with the key is refused. For its owner, admins of its team and of the installation. */
export const revokeKey = endpoint({
  ...ofAdmin,
  name: "revokeKey",
  summary: "Revoke an API key",
  method: "DELETE",
  path: "/admin/keys/{key_id}",
  kind: "write",
  params: z.object({ key_id: text }),
  response: "none",
  status: 204,
  errors: ["not_found"],
});

/** Own: where the caller is signed in, newest first; with `user_id` another person, for admins of the installation. */
export const listConsoleSessions = endpoint({
  ...ofAdmin,
  name: "listConsoleSessions",
  summary: "Where someone is signed in",
  method: "GET",
  path: "/console/sessions",
  kind: "read",
  query: z.object({ user_id: z.optional(text), ...page }),
  response: z.object({ sessions: z.array(session), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/** Own: ends one; its next request is refused. */
export const endConsoleSession = endpoint({
  ...ofAdmin,
  name: "endConsoleSession",
  summary: "End a session",
  method: "DELETE",
  path: "/console/sessions/{session_id}",
  kind: "write",
  params: z.object({ session_id: text }),
  response: "none",
  status: 204,
  errors: ["not_found"],
});

/** Own: ends all of the caller's sessions, or another person's for admins of the installation. */
export const endConsoleSessions = endpoint({
  ...ofAdmin,
  name: "endConsoleSessions",
  summary: "End all sessions of somebody",
  method: "DELETE",
  path: "/console/sessions",
  kind: "write",
  query: z.object({
    user_id: z.optional(text),
    /** `true`: all but the one that asks. */
    keep_current: z.optional(flag),
  }),
  response: z.object({ ended: count }),
});
