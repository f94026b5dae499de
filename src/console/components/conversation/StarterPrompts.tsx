import { AddChip } from "../../ui/Chip.tsx";

/** The first words that an agent offers (`metadata.chat.starter_prompts`); a click fills the field and sends nothing. */
export function StarterPrompts({
  metadata,
  onPick,
}: {
  metadata: unknown;
  onPick: (prompt: string) => void;
}) {
  const prompts = startersOf(metadata);
  if (prompts.length === 0) return null;
  return (
    <ul aria-label="Ways to begin" className="flex flex-wrap gap-1.5 pb-2">
      {prompts.map((prompt) => (
        <li key={prompt} className="min-w-0 max-w-full">
          <AddChip className="max-w-full border-solid" onClick={() => onPick(prompt)} title={prompt}>
            <span className="truncate">{prompt}</span>
          </AddChip>
        </li>
      ))}
    </ul>
  );
}

const most = 4;

function startersOf(metadata: unknown): readonly string[] {
  const chat = fieldOf(metadata, "chat");
  const prompts = fieldOf(chat, "starter_prompts");
  if (!Array.isArray(prompts)) return [];
  const texts = prompts.filter((one): one is string => typeof one === "string" && one.trim() !== "");
  return [...new Set(texts)].slice(0, most);
}

function fieldOf(value: unknown, key: string): unknown {
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
