const fieldWords: Readonly<Record<string, string>> = {
  name: "Name",
  description: "Description",
  model_name: "Model",
  system_prompt: "System prompt",
  tools: "Tools",
  resources: "Resources",
  metadata: "Metadata",
  is_active: "Retired",
  team_id: "Team",
};

/** A field in words; a section of metadata by its own name. */
export function fieldWord(field: string): string {
  if (field.startsWith("metadata.")) return `Metadata: ${field.slice("metadata.".length)}`;
  return fieldWords[field] ?? field;
}
