import type { AgentTool, createAgent } from "../../../../contract/agents.ts";
import type { Call } from "../../../../contract/define.ts";
import type { DraftKind } from "../../../lib/drafts/draft.ts";
import { isObject } from "../../../lib/json/json-value.ts";
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

/** What was typed for a new agent: those of its fields. What is kept wrongly counts as not typed. */
export const newAgentDrafts: DraftKind<Partial<NewAgent>> = {
  read: (kept) => {
    if (!isObject(kept)) return null;
    const isTyped = ([field, value]: [string, unknown]) =>
      field === "tools" ? Array.isArray(value) && value.every(isObject) : typeof value === "string";
    // Each field that is left has the form of its name.
    return Object.fromEntries(Object.entries(kept).filter(isTyped)) as Partial<NewAgent>;
  },
  join: (kept, typed) => ({ ...kept, ...typed }),
};

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
