import * as z from "zod/mini";
import { person } from "./console.ts";
import { endpoint } from "./define.ts";
import { team, text, utcTime } from "./wire.ts";

/**
 * Own: exchanges the one-time token of a sign-in link for an access token. What a sign-in with the identity provider came back
 * with is such a token, too: `sign_in_refused` says why nobody was let in, with `reason`, `groups` and `group_count` in `details`.
 */
export const createConsoleSession = endpoint({
  name: "createConsoleSession",
  tier: "own",
  capability: "console_sessions",
  section: "Credentials",
  summary: "Sign in with a one-time link",
  method: "POST",
  path: "/console/sessions",
  auth: "none",
  kind: "write",
  body: z.object({ token: text }),
  response: z.object({
    access_token: z.string(),
    /** The token's end, eight hours after it was made. */
    expires_at: utcTime,
    user: person,
    teams: z.array(team),
  }),
  errors: [
    "sign_in_link_invalid",
    "sign_in_refused",
    "invalid_body",
    "cross_site_request",
    "misdirected_request",
    "payload_too_large",
    "too_many_requests",
    "internal",
    "unavailable",
  ],
});

/**
 * Own: ends the session that asks; its next request is refused. With it goes where the browser ends its session at the identity
 * provider, if it signed in there and the provider has such a place. An API key is no session: nothing ends.
 */
export const signOutConsole = endpoint({
  name: "signOutConsole",
  tier: "own",
  capability: "console_sessions",
  section: "Credentials",
  summary: "Sign out",
  method: "POST",
  path: "/console/sign-out",
  kind: "write",
  response: z.object({
    ended: z.boolean(),
    /** An address to open; null: there is none. */
    provider_url: z.nullable(z.string()),
  }),
});
