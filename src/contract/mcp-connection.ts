import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { text } from "./wire.ts";

/**
 * How a person connects an MCP server, lets go of it, and accepts a tool that changed: the routes behind the console's page
 * `/mcp`, which is where `service_auth_url` leads. They are no endpoints of the table: its own endpoints are a closed list,
 * no client of the interface needs them, and two of them are no calls of an API but steps of a browser, which a cookie
 * ties together. They lie at the root, not below `/api/v1`, so an upstream connection does not have them: there, follow
 * `service_auth_url`.
 *
 * All but the callback are `POST` with JSON, the caller's credential in `Authorization`, and nested errors. Send `start`
 * with `credentials: "same-origin"`: its answer sets the cookie without which the callback refuses (S-49).
 */
export const mcpRoutes = {
  /** `mcpOwner` → `mcpSignInStarted`. Errors: `not_found`, `not_connected` and `sign_in_not_offered` (409), `tool_call_failed` (502). */
  start: "/mcp/oauth/start",
  /**
   * Where the server's sign-in sends the browser, within ten minutes and once. Ends at
   * `/mcp?server=<id>[&team_id=<id>]&connected=1`, or is a page that says in plain words what went wrong.
   */
  callback: "/mcp/oauth/callback",
  /** `mcpOwner` → `mcpDisconnected`. Forgets the credentials; calls in flight may still end. Errors: `not_found`. */
  disconnect: "/mcp/oauth/disconnect",
  /**
   * `mcpApproval` → `mcpApproved`. All or none. Errors: `not_found`, `tool_definition_changed` (409) where a hash is not that
   * of the definition as the service has it now: read the tools again.
   */
  approve: "/mcp/tools/approve",
} as const;

/** Whose connection to which server: the caller's own, or with `team_id` the team's. A team key means its team. */
export const mcpOwner = z.object({ server_id: text, team_id: z.nullish(text) });
export type McpOwner = z.output<typeof mcpOwner>;

/** Where to send the browser, in the same tab: always `http:` or `https:`. */
export const mcpSignInStarted = z.object({ authorization_url: z.string() });

/** Whether there was anything to forget. */
export const mcpDisconnected = z.object({ disconnected: z.boolean() });

/** Definitions that a person has looked at, each named by the `definition_hash` that came with it. */
export const mcpApproval = z.object({
  server_id: text,
  team_id: z.nullish(text),
  tools: z
    .array(z.object({ tool_call_id: text, definition_hash: text }))
    .check(z.minLength(1, "must not be empty"), z.maxLength(500, "must be at most 500")),
});
export type McpApproval = z.output<typeof mcpApproval>;

export const mcpApproved = z.object({ approved: z.array(z.string()) });

const route = { tier: "own", section: "MCP catalogue", method: "POST", kind: "write" } as const;

/** The three calls as the service reads them. Their `path` is the whole path. */
export const startMcpSignIn = endpoint({
  ...route,
  name: "startMcpSignIn",
  summary: "Begin to sign in to an MCP server",
  path: mcpRoutes.start,
  body: mcpOwner,
  response: mcpSignInStarted,
  errors: ["not_found", "not_connected", "sign_in_not_offered", "tool_call_failed"],
});
export const disconnectMcp = endpoint({
  ...route,
  name: "disconnectMcp",
  summary: "Forget the credentials of an MCP server",
  path: mcpRoutes.disconnect,
  body: mcpOwner,
  response: mcpDisconnected,
  errors: ["not_found"],
});
export const approveMcpTools = endpoint({
  ...route,
  name: "approveMcpTools",
  summary: "Accept the definitions of tools that changed",
  path: mcpRoutes.approve,
  body: mcpApproval,
  response: mcpApproved,
  errors: ["not_found", "tool_definition_changed"],
});

/**
 * Where the console finds the picture of a server: on its own origin, without a credential, raster images alone. 404 where
 * the server has none that can be shown; then the page draws its initial. `icon_url` itself is never opened.
 */
export function mcpIconPath(serverId: string): string {
  return `/icons/mcp/${encodeURIComponent(serverId)}`;
}
