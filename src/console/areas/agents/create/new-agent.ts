import type { AgentTool, createAgent } from "../../../../contract/agents.ts";
import type { Call } from "../../../../contract/define.ts";
import { isObject, sameJson } from "../../../lib/json/json-value.ts";
import { type AgentDraft, blankDraft } from "../agent/agent-draft.ts";

/** What is filled in for a new agent. Empty model: the service's own choice. Empty team: one's own. */
export interface NewAgent {
  readonly name: string;
  readonly description: string;
  readonly model: string;
  readonly team: string;
  readonly prompt: string;
  readonly tools: readonly AgentTool[];
}

/** What the form begins with. */
export function startOf(draft: AgentDraft | null, name: string, teamId: string | null): NewAgent {
  return {
    name,
    description: draft?.description ?? "",
    model: draft?.model_name ?? "",
    team: teamId ?? "",
    prompt: draft?.system_prompt ?? "",
    tools: draft?.tools ?? [],
  };
}

/** What was typed before, over what the form begins with; what is kept wrongly counts as not typed. */
export function readTyped(kept: string, start: NewAgent): NewAgent {
  let value: unknown;
  try {
    value = JSON.parse(kept);
  } catch {
    return start;
  }
  if (!isObject(value)) return start;
  const typed = value;
  const text = (field: Exclude<keyof NewAgent, "tools">) => {
    const found = typed[field];
    return typeof found === "string" ? found : start[field];
  };
  return {
    name: text("name"),
    description: text("description"),
    model: text("model"),
    team: text("team"),
    prompt: text("prompt"),
    tools: isTools(typed.tools) ? typed.tools : start.tools,
  };
}

const isTools = (value: unknown): value is AgentTool[] => Array.isArray(value) && value.every(isObject);

/** What was kept, with those fields over it that were typed before it was known. */
export function joinTyped(kept: unknown, typed: unknown, start: NewAgent): string {
  const [before, after] = [readTyped(String(kept), start), readTyped(String(typed), start)];
  const changed = Object.entries(after).filter(
    ([field, value]) => !sameJson(value, start[field as keyof NewAgent]),
  );
  return JSON.stringify({ ...before, ...Object.fromEntries(changed) });
}

/** The body of `POST /agents`: what was filled in, and of a copy its resources and metadata as they are. */
export function bodyOf(form: NewAgent, copied: AgentDraft | null): Call<typeof createAgent>["body"] {
  const { resources, metadata } = copied ?? blankDraft;
  return {
    name: form.name.trim(),
    ...(form.model !== "" && { model_name: form.model }),
    ...(form.description.trim() !== "" && { description: form.description }),
    ...(form.prompt.trim() !== "" && { system_prompt: form.prompt }),
    ...(form.team !== "" && { team_id: form.team }),
    ...(form.tools.length > 0 && { tools: [...form.tools] }),
    ...(resources.length > 0 && { resources: resources.map((item) => ({ ...item })) }),
    ...(Object.keys(metadata).length > 0 && { metadata: { ...metadata } }),
  };
}
