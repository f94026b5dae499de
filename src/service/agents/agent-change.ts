import type { AgentChange } from "../../contract/agents.ts";
import { toJson } from "../store/json.ts";
import type { AgentRow } from "./agent-rows.ts";
import { changeMetadata, readMetadata } from "./metadata.ts";

/** What an UPDATE of `agents` sets; only what the change names. */
export interface AgentValues {
  name?: string;
  model_name?: string;
  description?: string | null;
  system_prompt?: string | null;
  tools?: string;
  resources?: string;
  metadata?: string;
  is_active?: boolean;
  team_id?: string;
}

/**
 * What a PATCH changes (§4.14; docs/interface.md, "PATCH and null"): null clears description and system_prompt, empties
 * tools and resources, and equals absence for everything else. `version` is no change.
 * @returns empty where nothing is to be changed; then the version stays
 * @throws ServiceError `invalid_body` for metadata of wrong types
 */
export function agentValues(current: Pick<AgentRow, "metadata">, change: AgentChange): AgentValues {
  const values: AgentValues = {};
  const { name, model_name, description, system_prompt, tools, resources, metadata, is_active, team_id } =
    change;
  if (name != null) values.name = name;
  if (model_name != null) values.model_name = model_name;
  if (description !== undefined) values.description = description;
  if (system_prompt !== undefined) values.system_prompt = system_prompt;
  if (tools !== undefined) values.tools = toJson(tools ?? []);
  if (resources !== undefined) values.resources = toJson(resources ?? []);
  if (metadata != null) values.metadata = toJson(changeMetadata(current.metadata, readMetadata(metadata)));
  if (is_active != null) values.is_active = is_active;
  if (team_id != null) values.team_id = team_id;
  return values;
}
