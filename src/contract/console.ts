import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { team, utcTime } from "./wire.ts";

/**
 * Names in `GET /capabilities` that are no endpoint of their own: `run_files` (files in get_pl_run), `link_password`
 * (`link.password` at access update), `idempotency_keys` (the header `Idempotency-Key` on the two start calls),
 * `builtin_tools` (the tools of builtin-tools.ts in an agent's `tools`).
 */
export const fieldCapabilities = ["builtin_tools", "run_files", "link_password", "idempotency_keys"] as const;

/**
 * The extensions that are ours alone ("Three tiers of endpoint"). `mcp_connections` stands also for `connection` of a server
 * and `held` of a tool.
 */
export const ownCapabilities = [
  ...fieldCapabilities,
  "admin",
  "artifact_deletion",
  "artifacts",
  "audit",
  "capabilities",
  "console_sessions",
  "conversation_copy",
  "conversation_delete",
  "deletions",
  "diagnostics",
  "inbox",
  "knowledge_deletion",
  "mcp_connections",
  "mcp_tool_calls",
  "programs",
  "retention",
  "rubric_edit",
  "run_again",
  "run_details",
  "run_nodes",
  "runs",
  "search",
  "shared_links",
  "turn_stop",
] as const;

/** The names of all own and public extensions; a stranger's service may name others. */
export const capabilities = [
  ...ownCapabilities,
  "agent_create",
  "agent_versions",
  "artifact_access",
  "artifact_download",
  "evaluation_config_edit",
  "evaluation_results",
  "evaluation_runs",
  "evaluations",
  "flow_inputs",
  "knowledge_estimates",
  "knowledge_files",
  "knowledge_search",
  "knowledge_sources",
  "live_messages",
  "mcp_server",
  "mcp_tools",
  "run_map",
  "saved_items",
  "sessions",
  "teams",
] as const;
export type Capability = (typeof capabilities)[number];

/** A person as the service names them to themselves. */
export const person = z.object({
  id: z.string(),
  first_name: z.nullable(z.string()),
  last_name: z.nullable(z.string()),
  email: z.nullable(z.string()),
});
export type Person = z.output<typeof person>;

/** Own: which public and own extensions this service has, and whom the credential acts for. */
export const getCapabilities = endpoint({
  name: "getCapabilities",
  tier: "own",
  capability: "capabilities",
  section: "Three tiers of endpoint",
  summary: "What this service has beyond the interface",
  method: "GET",
  path: "/capabilities",
  kind: "read",
  response: z.object({
    service: z.string(),
    version: z.string(),
    extensions: z.array(openEnum(capabilities)),
    /**
     * A restored copy waits until it is let go on: it shows everything and runs nothing. `reason` is a sentence for people,
     * without the full stop. Null: work goes on.
     */
    paused: z.nullish(z.object({ since: utcTime, reason: z.string() })),
    caller: z.object({
      kind: openEnum(["personal", "team", "token"]),
      /** Null for a team key: it acts for whichever member a request names. */
      user: z.nullable(person),
      /** The team of a team key. */
      team: z.nullable(team),
    }),
  }),
});
