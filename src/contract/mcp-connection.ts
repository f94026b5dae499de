import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { list } from "./limits.ts";
import { text } from "./wire.ts";

/** Whose connection to which server: the caller's own, or with `team_id` the team's. A team key means its team. */
const mcpOwner = z.object({ server_id: text, team_id: z.nullish(text) });
export type McpOwner = z.output<typeof mcpOwner>;

/** Definitions that a person has looked at, each named by the `definition_hash` that came with it. */
const mcpApproval = z.object({
  server_id: text,
  team_id: z.nullish(text),
  tools: list(z.object({ tool_call_id: text, definition_hash: text }), 500).check(
    z.minLength(1, "must not be empty"),
  ),
});
export type McpApproval = z.output<typeof mcpApproval>;

/**
 * How a person connects an MCP server, disconnects it, and accepts a tool that changed: the calls behind the console's
 * page `/mcp`, which is where `service_auth_url` leads. They lie at the root, beside the callback that a cookie ties them
 * to, so an upstream connection does not have them: there, follow `service_auth_url`.
 */
const atRoot = {
  tier: "own",
  capability: "mcp_connections",
  section: "MCP catalogue",
  base: "",
  method: "POST",
  kind: "write",
} as const;

/** Own: begins a sign-in, always a new one. Its answer sets the cookie without which the callback refuses (S-49). */
export const startMcpSignIn = endpoint({
  ...atRoot,
  name: "startMcpSignIn",
  summary: "Begin to sign in to an MCP server",
  path: "/mcp/oauth/start",
  body: mcpOwner,
  /** Where to send the browser, in the same tab: always `http:` or `https:`. */
  response: z.object({ authorization_url: z.string() }),
  setsCookie: true,
  errors: ["not_found", "not_connected", "sign_in_not_offered", "tool_call_failed"],
});

/** Own: forgets the credentials; calls in flight may still end. */
export const disconnectMcp = endpoint({
  ...atRoot,
  name: "disconnectMcp",
  summary: "Forget the credentials of an MCP server",
  path: "/mcp/oauth/disconnect",
  body: mcpOwner,
  /** Whether there was anything to forget. */
  response: z.object({ disconnected: z.boolean() }),
  errors: ["not_found"],
});

/**
 * Own: accepts all of the definitions or none; none where a hash is not that of the definition as the service has it now:
 * read the tools again.
 */
export const approveMcpTools = endpoint({
  ...atRoot,
  name: "approveMcpTools",
  summary: "Accept the definitions of tools that changed",
  path: "/mcp/tools/approve",
  body: mcpApproval,
  response: z.object({ approved: z.array(z.string()) }),
  errors: ["not_found", "tool_definition_changed"],
});

/**
 * Where a server's sign-in sends the browser, within ten minutes and once. It ends at
 * `/mcp?server=<id>[&team_id=<id>]&connected=1`, or is a page that says in plain words what went wrong. No endpoint: a
 * step of the browser, not a call.
 */
export const mcpCallbackPath = "/mcp/oauth/callback";

/**
 * Where the console finds the picture of a server: on its own origin, without a credential, raster images alone. 404 where
 * the server has none that can be shown; then the page draws its initial. `icon_url` itself is never opened.
 */
export function mcpIconPath(serverId: string): string {
  return `/icons/mcp/${encodeURIComponent(serverId)}`;
}
