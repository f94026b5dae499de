import type { FieldPath } from "../agent/agent-draft.ts";

const fields: Readonly<Record<string, string>> = {
  name: "the name",
  description: "the description",
  model_name: "the model",
  system_prompt: "the system prompt",
  tools: "the tools",
  resources: "the resources",
};

/** A field in a sentence: "the system prompt", "the preferences". */
export const fieldWords = (path: FieldPath): string =>
  fields[path] ?? `the ${path.slice("metadata.".length).replaceAll("_", " ")}`;

/** "the name, the tools and the chat"; at most four are named. */
export function listWords(words: readonly string[], most = 4): string {
  if (words.length > most)
    return `${words.slice(0, most - 1).join(", ")} and ${words.length - most + 1} more`;
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "");
}

export const countWords = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
