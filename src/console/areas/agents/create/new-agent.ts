import * as z from "zod/mini";
import type { AgentTool, createAgent } from "../../../../contract/agents.ts";
import type { Call } from "../../../../contract/define.ts";
import { name } from "../../../../contract/limits.ts";
import type { DraftKind } from "../../../lib/drafts/draft.ts";
import { rulesOf } from "../../../lib/form/useForm.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { type AgentDraft, blankDraft } from "../agent/agent-draft.ts";

/** What is filled in for a new agent. Empty model: the service's own choice. Empty team: one's own. */
export interface NewAgent {
  readonly name: string;
  readonly description: string;
  readonly model_name: string;
  readonly team_id: string;
  readonly system_prompt: string;
  readonly tools: readonly AgentTool[];
}

/** Of what is filled in only the name can be missing; an empty field is not sent. */
export const newAgentRules = rulesOf(z.object({ name }), {
  name: "An agent needs a name",
});

/** What the form begins with. */
export const startOf = (draft: AgentDraft | null, name: string, teamId: string | null): NewAgent => ({
  name,
  description: draft?.description ?? "",
  model_name: draft?.model_name ?? "",
  team_id: teamId ?? "",
  system_prompt: draft?.system_prompt ?? "",
  tools: draft?.tools ?? [],
});

/** How an earlier version called what it kept. */
const before: Readonly<Record<string, string>> = {
  model: "model_name",
  team: "team_id",
  prompt: "system_prompt",
};

/** What was typed for a new agent: those of its fields. What is kept wrongly counts as not typed. */
export const newAgentDrafts: DraftKind<Partial<NewAgent>> = {
  read: (kept) => {
    if (!isObject(kept)) return null;
    const isTyped = ([field, value]: [string, unknown]) =>
      field === "tools" ? Array.isArray(value) && value.every(isObject) : typeof value === "string";
    const typed = Object.entries(kept).filter(isTyped);
    // Each field that is left has the form of its name.
    return Object.fromEntries(
      typed.map(([field, value]) => [before[field] ?? field, value]),
    ) as Partial<NewAgent>;
  },
  join: (kept, typed) => ({ ...kept, ...typed }),
};

/** The body of `POST /agents`: what was filled in, and of a copy its resources and metadata as they are. */
export function bodyOf(form: NewAgent, copied: AgentDraft | null): Call<typeof createAgent>["body"] {
  const { resources, metadata } = copied ?? blankDraft;
  const { name, tools, ...texts } = form;
  return {
    name: name.trim(),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== "")),
    ...(tools.length > 0 && { tools: [...tools] }),
    ...(resources.length > 0 && { resources: resources.map((item) => ({ ...item })) }),
    ...(Object.keys(metadata).length > 0 && { metadata: { ...metadata } }),
  };
}
