import { type FieldRules, type MergeResult, mergeRecords } from "../../../lib/merge/merge-record.ts";
import { type AgentDraft, draftOf } from "./agent-draft.ts";
import { identify } from "./tools.ts";

/** How the fields of an agent are merged. Which tools of a server, and which sources it may search, are sets. */
const rules: FieldRules = {
  name: { form: "value" },
  description: { form: "text" },
  model_name: { form: "value" },
  system_prompt: { form: "text" },
  tools: { form: "list", identify, sets: ["allowed_tool_call_ids", "source_ids"] },
  resources: { form: "list", identify },
  metadata: { form: "sections" },
};

/**
 * Merges two changes of one agent: texts by line, tools and resources by identity and value by value, metadata by section
 * and key.
 * @param base what both began with (the version of the draft)
 * @param theirs what the service has now
 * @param mine the draft
 */
export function mergeAgents(base: AgentDraft, theirs: AgentDraft, mine: AgentDraft): MergeResult<AgentDraft> {
  return mergeRecords(rules, { base, theirs, mine }, draftOf);
}
