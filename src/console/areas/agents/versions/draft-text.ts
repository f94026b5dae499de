import { type AgentDraft, draftFields } from "../agent/agent-draft.ts";

/** A version of an agent as one text, for a comparison line by line: long texts as their lines, the rest as JSON. */
export function draftText(draft: AgentDraft): string {
  return draftFields.flatMap((field) => linesOf(field, draft[field])).join("\n");
}

function linesOf(name: string, value: unknown): string[] {
  if (value === null || value === "") return [`${name}:`];
  if (typeof value === "string" && !/[\r\n]/.test(value)) return [`${name}: ${value}`];
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return [`${name}:`, ...text.split(/\r?\n/).map((line) => (line === "" ? "" : `  ${line}`))];
}
