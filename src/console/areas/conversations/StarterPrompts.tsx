import { useState } from "react";
import { type Command, commandWords, readCommands, toolWords } from "../../../contract/command.ts";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { shownName } from "../../lib/shownName.ts";
import { AddChip } from "../../ui/Chip.tsx";
import { later } from "../../ui/later.ts";

const CommandForm = later(() => import("./CommandForm.tsx"));

/** What says what an agent offers, as the service tells of it, of whatever shape. */
export interface Offering {
  readonly metadata?: unknown;
  readonly tools?: unknown;
  readonly model_name?: unknown;
}

type Props = {
  agent: Offering | undefined;
  name: string;
  /** A conversation goes on: of its agent's ways to begin only the forms are shown. */
  isOngoing?: boolean;
  action: string;
  onPick: (prompt: string) => void;
  onSend: (text: string) => void;
};

/**
 * The first words that an agent offers (`metadata.chat.starter_prompts`): a click fills the field and sends nothing. One that
 * is a command of the built-in model is shown in words, with a form behind it; an agent on that model has such a form for
 * each of its built-in tools.
 */
export function StarterPrompts({ agent, name, isOngoing = false, action, onPick, onSend }: Props) {
  const [opened, setOpened] = useState<Command | null>(null);
  const { words, commands } = offersOf(agent);
  const shown = isOngoing ? [] : words;
  if (shown.length + commands.length === 0) return null;
  return (
    <>
      <ul aria-label={isOngoing ? "What it can do" : "Ways to begin"} className="flex flex-wrap gap-1.5 pb-2">
        {shown.map((prompt) => (
          <Offer key={prompt} title={prompt} words={prompt} onClick={() => onPick(prompt)} />
        ))}
        {commands.map(({ words, command }) => (
          <Offer key={words} title={`${words}…`} words={`${words}…`} onClick={() => setOpened(command)} />
        ))}
      </ul>
      {opened && (
        <LazyPart>
          <CommandForm
            command={opened}
            agent={shownName(name)}
            action={action}
            onSend={onSend}
            onClose={() => setOpened(null)}
          />
        </LazyPart>
      )}
    </>
  );
}

function Offer({ words, title, onClick }: { words: string; title: string; onClick: () => void }) {
  return (
    <li className="min-w-0 max-w-full">
      <AddChip className="max-w-full border-solid" onClick={onClick} title={title}>
        <span className="truncate">{words}</span>
      </AddChip>
    </li>
  );
}

const most = 4;
const offlineModel = "builtin/offline";

/** What a form of a built-in tool begins with. */
const examples: readonly Command[] = [
  { tool: "write_file", args: { name: "notes.md", content: "" } },
  { tool: "read_file", args: { name: "" } },
  { tool: "http_get", args: { url: "https://" } },
  { tool: "search_knowledge", args: { query: "" } },
];

interface Offers {
  readonly words: readonly string[];
  readonly commands: readonly { readonly words: string; readonly command: Command }[];
}

function offersOf(agent: Props["agent"]): Offers {
  const prompts = startersOf(agent?.metadata).map((text) => ({ text, commands: readCommands(text) }));
  const words = prompts.flatMap(({ text, commands }) => (commands === null ? [text] : []));
  const offered = prompts.flatMap(({ commands }) => (commands?.length === 1 ? commands : []));
  const tools = agent?.model_name === offlineModel ? typesOf(agent.tools) : [];
  const known = new Set(offered.map(({ tool }) => tool));
  const own = examples.filter(({ tool }) => tools.includes(tool) && !known.has(tool));
  const ofOne = (tool: string) => offered.filter((one) => one.tool === tool).length === 1;
  const named = [
    // The same tool twice: what it is about tells them apart.
    ...offered.map((command) => ({
      words: ofOne(command.tool) ? toolWords(command.tool) : commandWords(command),
      command,
    })),
    ...own.map((command) => ({ words: toolWords(command.tool), command })),
  ];
  return { words, commands: [...new Map(named.map((one) => [one.words, one])).values()] };
}

function typesOf(tools: unknown): readonly unknown[] {
  return Array.isArray(tools) ? tools.map((tool) => fieldOf(tool, "type")) : [];
}

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
