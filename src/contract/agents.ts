import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { boundedText, list, maybeName, name, sectionSize, textLimits } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import {
  count,
  flag,
  integer,
  jsonObject,
  maybeText,
  nextCursor,
  page,
  person,
  sortOrder,
  text,
  utcTime,
} from "./wire.ts";

/** Aliases of the caller's own two agents, accepted wherever an agent id is (§2.10). */
export const agentAliases = ["gumball", "analytics"] as const;

const toolFields = {
  type: z.optional(openEnum(["gumcp_server", "gumstack_server", "mcp_server", "flow"])),
  server_id: z.nullish(z.string()),
  approval_mode: z.nullish(openEnum(["off", "all"])),
  saved_item_id: z.nullish(z.string()),
};

/**
 * A tool of an agent. The interface says only "object": the known fields are those of MCP servers and flows, and
 * everything else is kept as it came.
 */
export const agentTool = z.looseObject({
  ...toolFields,
  /** Null: all tools. Items are `{server_id}__{tool_name}`. */
  allowed_tool_call_ids: z.nullish(z.array(z.string())),
});
export type AgentTool = z.output<typeof agentTool>;

const toolInput = z.looseObject({
  ...toolFields,
  allowed_tool_call_ids: z.nullish(list(z.string(), textLimits.toolCallIds)),
  /** Of `search_knowledge`: only these sources. */
  source_ids: z.nullish(list(text, textLimits.sourceIds)),
});

/** What a request may say of an agent beside its name, within the limits of section 8. */
const agentInput = {
  model_name: maybeName,
  description: z.nullish(boundedText(textLimits.description)),
  system_prompt: z.nullish(boundedText(textLimits.systemPrompt)),
  tools: z.nullish(list(toolInput, textLimits.tools).check(sectionSize)),
  resources: z.nullish(list(jsonObject, textLimits.resources).check(sectionSize)),
  metadata: z.nullish(jsonObject.check(sectionSize)),
  is_active: z.nullish(z.boolean()),
  team_id: maybeText,
};

const listed = {
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  team_id: z.nullable(z.string()),
  is_active: z.boolean(),
  model_name: z.nullable(z.string()),
  system_prompt: z.nullable(z.string()),
  metadata: jsonObject,
  folder_id: z.nullable(z.string()),
  created_at: z.nullable(utcTime),
  active_trigger_count: count,
  creator: z.optional(z.nullable(person)),
  /** Rises by one at each change. */
  version: z.int(),
};

/** §2.10: an agent with its whole configuration. */
export const agent = z.object({ ...listed, tools: z.array(agentTool), resources: z.array(jsonObject) });
export type Agent = z.output<typeof agent>;

/** An agent in a list: without the inlined collections (§2.10). */
export const agentSummary = z.object({
  ...listed,
  tools: z.optional(z.array(agentTool)),
  resources: z.optional(z.array(jsonObject)),
});
export type AgentSummary = z.output<typeof agentSummary>;

const byId = z.object({ agent_id: text });

/** §4.15. With neither `page_size` nor `cursor` it answers the whole list. */
export const listAgents = endpoint({
  name: "listAgents",
  tier: "core",
  section: "§4.15",
  summary: "List agents",
  method: "GET",
  path: "/agents",
  kind: "read",
  query: z.object({
    team_id: z.optional(text),
    search: z.optional(text),
    /** A user id. */
    creator: z.optional(text),
    /** An MCP server id that the agent uses. */
    tool: z.optional(text),
    /** A saved item id that the agent uses. */
    flow: z.optional(text),
    has_triggers: z.optional(flag),
    sort_order: z.optional(sortOrder),
    ...page,
  }),
  response: z.object({ agents: z.array(agentSummary), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_sort", "invalid_cursor"],
});

/** §4.15. A retired agent is `not_found`. */
export const getAgent = endpoint({
  name: "getAgent",
  tier: "core",
  section: "§4.15",
  summary: "Get an agent",
  method: "GET",
  path: "/agents/{agent_id}",
  kind: "read",
  params: byId,
  response: z.object({ agent }),
  errors: ["not_found"],
});

/** The fields of §4.14. Null clears description and system_prompt, empties tools and resources, else means absent. */
export const agentChange = z.object({ name: maybeName, ...agentInput, version: z.nullish(z.int()) });
export type AgentChange = z.output<typeof agentChange>;

/** §4.14. */
export const updateAgent = endpoint({
  name: "updateAgent",
  tier: "core",
  section: "§4.14",
  summary: "Update, transfer or retire an agent",
  method: "PATCH",
  path: "/agents/{agent_id}",
  kind: "write",
  userHeader: true,
  params: byId,
  body: agentChange,
  response: z.object({ agent }),
  errors: ["not_found", "agent_version_conflict", "insufficient_storage"],
});

/** Public: make an agent. Without `team_id` it is the caller's own. */
export const createAgent = endpoint({
  name: "createAgent",
  tier: "public",
  capability: "agent_create",
  section: "Own endpoints",
  summary: "Create an agent",
  method: "POST",
  path: "/agents",
  kind: "write",
  body: z.object({ name, ...agentInput, folder_id: maybeName }),
  response: z.object({ agent }),
  errors: ["insufficient_storage"],
});

/** One version of an agent in a list. */
export const agentVersionSummary = z.object({
  id: z.string(),
  /** The agent's `version` at that time; also what the path of one version takes. */
  major_version: z.int(),
  /** Whether this is what the agent runs now. */
  is_deployed: z.boolean(),
  created_at: utcTime,
  /** Who made this change. */
  creator: z.nullable(person),
  /** Own: the fields that differ from the version before; empty for the first. */
  changed: z.optional(z.array(z.string())),
});
export type AgentVersionSummary = z.output<typeof agentVersionSummary>;

/** Public: the versions of an agent, newest first. */
export const listAgentVersions = endpoint({
  name: "listAgentVersions",
  tier: "public",
  capability: "agent_versions",
  section: "Own endpoints",
  summary: "List an agent's versions",
  method: "GET",
  path: "/agents/{agent_id}/versions",
  kind: "read",
  params: byId,
  query: z.object(page),
  response: z.object({ versions: z.array(agentVersionSummary), next_cursor: nextCursor }),
  conditional: true,
  errors: ["not_found", "invalid_page_size", "invalid_cursor"],
});

/** Public: an agent as it was at one version. */
export const getAgentVersion = endpoint({
  name: "getAgentVersion",
  tier: "public",
  capability: "agent_versions",
  section: "Own endpoints",
  summary: "Get an agent as it was at a version",
  method: "GET",
  path: "/agents/{agent_id}/versions/{version}",
  kind: "read",
  params: z.object({ agent_id: text, version: integer(1, 2_147_483_647) }),
  response: z.object({ version: agentVersionSummary, agent }),
  errors: ["not_found"],
});
