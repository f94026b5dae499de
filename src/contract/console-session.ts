import * as z from "zod/mini";
import { person } from "./console.ts";
import { endpoint } from "./define.ts";
import { team } from "./teams.ts";
import { text, utcTime } from "./wire.ts";

/** Own: exchanges the one-time token of a sign-in link for an access token. */
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
    "invalid_body",
    "cross_site_request",
    "misdirected_request",
    "payload_too_large",
    "too_many_requests",
    "internal",
    "unavailable",
  ],
});
