import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { formField } from "./form-fields.ts";
import { boundedText, list, sectionSize } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { count, json, jsonObject, text, utcTime } from "./wire.ts";

/** The connection of the caller to a server (§3.5). */
export const connectionStatus = openEnum(["connected", "unauthenticated", "blocked"]);

/** Where a server runs: hosted by the service, deployed by a user, or custom. */
export const serverType = openEnum(["gumcp_server", "gumstack_server", "mcp_server"]);

/**
 * Own extension (`mcp_connections`): what `status` rests on, and how old that is. The status says signed in or not; this
 * says whether the server answered, and when. Nothing here comes from a server's own words but the names of tools, and what a
 * command wrote before it died at its start.
 */
export const mcpConnection = z.object({
  /**
   * Whose credentials the server takes. `none`: it wants none. `operator`: those of `mcp.json`, the same for everybody.
   * `sign_in`: each person and each team signs in for themselves (`service_auth_url`). `unknown`: nobody has asked it yet.
   */
  auth: openEnum(["none", "operator", "sign_in", "unknown"]),
  /** When the person or team signed in; null where nobody did. */
  signed_in_at: z.nullable(utcTime),
  /** The last exchange that worked; null where none did. */
  succeeded_at: z.nullable(utcTime),
  /** The last exchange that did not; null where none failed. */
  failed_at: z.nullable(utcTime),
  /**
   * What went wrong, as a sentence, where the last exchange failed; null where it worked. For a command that did not start,
   * what it wrote last follows, line by line, without the values of its `env`.
   */
  failure: z.nullable(z.string()),
  /** The revision of the protocol that the server spoke when its tools were read last, such as `2026-07-28`; null: not known. */
  revision: z.optional(z.nullable(z.string())),
  /** Tools that must not be called until somebody has looked at their definition: `{server_id}__{tool_name}`. */
  held_tool_call_ids: z.array(z.string()),
});
export type McpConnection = z.output<typeof mcpConnection>;

/** §2.5. */
export const mcpServer = z.object({
  server_id: z.string(),
  name: z.nullable(z.string()),
  type: serverType,
  status: connectionStatus,
  icon_url: z.nullable(z.string()),
  description: z.nullable(z.string()),
  /** Where a person connects the server's credentials. */
  service_auth_url: z.string(),
  /** The same under its public name: public clients demand it. */
  gumloop_auth_url: z.optional(z.string()),
  /** Null for service-hosted servers. */
  mcp_url: z.nullable(z.string()),
  tool_count: z.nullable(count),
  /** Null: all tools. Items are `{server_id}__{tool_name}`. */
  allowed_tool_call_ids: z.nullable(z.array(z.string())),
  /** Own extension `mcp_connections`. */
  connection: z.optional(mcpConnection),
});
export type McpServer = z.output<typeof mcpServer>;

/** Own: what a server says of a tool beyond what models are given; null: nothing of the kind, missing: not known. */
const moreOfTool = {
  title: z.optional(z.nullable(z.string())),
  output_schema: z.optional(z.nullable(jsonObject)),
  /** Hints of the server, such as `readOnlyHint`. */
  annotations: z.optional(z.nullable(jsonObject)),
};

/**
 * Own extension (`mcp_connections`): why a tool must not be called. Its definition is not the one that was looked at last,
 * or it appeared after the server was first seen.
 */
export const mcpHeldTool = z.object({
  /** When the new definition was first seen. */
  since: utcTime,
  /** The definition that was looked at last; null where the tool is new. */
  before: z.nullable(
    z.object({ description: z.nullable(z.string()), input_schema: jsonObject, ...moreOfTool }),
  ),
});
export type McpHeldTool = z.output<typeof mcpHeldTool>;

/** A tool of a server (public). */
export const mcpTool = z.object({
  /** `{server_id}__{tool_name}`. */
  tool_call_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  /** A JSON Schema, as the server gave it. */
  input_schema: jsonObject,
  ...moreOfTool,
  server_id: z.optional(z.nullable(z.string())),
  server_type: z.optional(z.nullable(serverType)),
  server: z.optional(z.nullable(jsonObject)),
  /** Own extension `mcp_connections`: names this very definition; it is what `approveMcpTools` takes. */
  definition_hash: z.optional(z.string()),
  /** Own extension `mcp_connections`: null where the tool may be called. */
  held: z.optional(z.nullable(mcpHeldTool)),
});
export type McpTool = z.output<typeof mcpTool>;

const scope = z.object({ team_id: z.optional(text) });
const byId = z.object({ server_id: text });

/** §4.9. Whole, without pages. */
export const listMcpServers = endpoint({
  name: "listMcpServers",
  tier: "core",
  section: "§4.9",
  summary: "List MCP servers",
  method: "GET",
  path: "/mcp/servers",
  kind: "read",
  query: scope,
  response: z.object({ servers: z.array(mcpServer) }),
  conditional: true,
});

/** Public: one server of the catalogue. */
export const getMcpServer = endpoint({
  name: "getMcpServer",
  tier: "public",
  capability: "mcp_server",
  section: "MCP catalogue",
  summary: "Get an MCP server",
  method: "GET",
  path: "/mcp/servers/{server_id}",
  kind: "read",
  params: byId,
  query: scope,
  response: z.object({ server: mcpServer }),
  errors: ["not_found"],
});

/** Public: the tools of a server, with the caller's connection to it. Empty where it is not connected. */
export const listMcpTools = endpoint({
  name: "listMcpTools",
  tier: "public",
  capability: "mcp_tools",
  section: "MCP catalogue",
  summary: "List the tools of an MCP server",
  method: "GET",
  path: "/mcp/servers/{server_id}/tools",
  kind: "read",
  params: byId,
  query: scope,
  response: z.object({
    tools: z.array(mcpTool),
    server_id: z.optional(z.nullable(z.string())),
    status: z.optional(z.nullable(connectionStatus)),
    service_auth_url: z.optional(z.nullable(z.string())),
    gumloop_auth_url: z.optional(z.nullable(z.string())),
  }),
  conditional: true,
  errors: ["not_found", "tool_call_failed"],
});

/**
 * What a server may ask for in a call, by hand or not: characters that it wants back with the answers, questions at once,
 * and times in one call.
 */
export const askLimits = { state: 100_000, questions: 100, rounds: 5 } as const;

/** One question that a server puts in the middle of a call. All of it but the host is the server's own words. */
const trialQuestion = z.object({
  /** As the server knows it. */
  id: z.string(),
  /** Of all that it asks: an answer is for this very question. */
  digest: z.string(),
  /** What it says, without characters that are not seen; empty where there is a `refusal`. */
  question: z.string(),
  /** Never a field for a secret. Empty where a page is to be opened. */
  fields: z.array(formField),
  /** A page that the person opens by themselves; null: it asks for a form. `is_foreign`: not on the server's own host. */
  link: z.nullable(z.object({ url: z.string(), host: z.string(), is_foreign: z.boolean() })),
  /** Why it must not be shown to anybody and can only be declined: the rest of a sentence that begins with the server. */
  refusal: z.nullable(z.string()),
});

export type McpTrialQuestion = z.output<typeof trialQuestion>;

const trialAsks = z.object({ state: z.nullable(z.string()), questions: z.array(trialQuestion) });
export type McpTrialAsks = z.output<typeof trialAsks>;

/** What a person says to a question of a server: as in the inbox. */
const trialAnswer = z.object({
  id: boundedText(askLimits.state),
  digest: boundedText(200),
  answer: z.enum(["approve", "refuse", "leave"]),
  /** Of an approved form: what was filled in, by the names of its fields. */
  values: z.nullish(jsonObject.check(sectionSize)),
});

/**
 * Own: calls one tool, to try it. A tool that answers with an error is a successful call with `is_error`; a server that
 * does not answer is `tool_call_failed`, one that nobody is signed in to `not_connected`, and a tool that changed since
 * somebody looked at it `tool_definition_changed`: then the server is not called. A server that asks before it goes on is
 * answered by calling again with all that was `answered` so far.
 */
export const callMcpTool = endpoint({
  name: "callMcpTool",
  tier: "own",
  capability: "mcp_tool_calls",
  section: "Own endpoints",
  summary: "Call a tool of an MCP server",
  method: "POST",
  path: "/mcp/servers/{server_id}/tools/{tool}/call",
  kind: "write",
  params: z.object({ server_id: text, tool: text }),
  query: scope,
  body: z.object({
    arguments: z.nullish(jsonObject),
    /** What the server asked before in this call, in order, with its `state` and the answers. */
    answered: z.nullish(
      list(
        z.object({
          state: z.nullish(boundedText(askLimits.state)),
          answers: list(trialAnswer, askLimits.questions),
        }),
        askLimits.rounds,
      ),
    ),
  }),
  response: z.object({
    /** The content blocks of the tool's answer, as the Model Context Protocol defines them; empty where it asks. */
    content: z.array(jsonObject),
    structured_content: z.optional(json),
    is_error: z.boolean(),
    /** Milliseconds. */
    duration_ms: count,
    /** What the server asks in place of an answer. `state` goes back with the answers as it came. */
    asks: z.optional(z.nullable(trialAsks)),
  }),
  errors: ["not_found", "not_connected", "tool_definition_changed", "tool_call_failed"],
});
