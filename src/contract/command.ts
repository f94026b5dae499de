/** A line that the built-in model obeys: `/tool {json}`, the call of one tool. */
export interface Command {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const form = /^\/([A-Za-z0-9_.-]+)(?:\s+(\{.*\}))?$/;

/** The commands of a message that consists of nothing else; null for every other message. */
export function readCommands(text: string): readonly Command[] | null {
  if (!text.trimStart().startsWith("/")) return null;
  const commands: Command[] = [];
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line === "") continue;
    const [, tool, json = "{}"] = form.exec(line) ?? [];
    const args = tool === undefined ? null : parseObject(json);
    if (tool === undefined || args === null) return null;
    commands.push({ tool, args });
  }
  return commands.length > 0 ? commands : null;
}

/** The line that the built-in model obeys. */
export function writeCommand({ tool, args }: Command): string {
  return `/${tool} ${JSON.stringify(args)}`;
}

const acts: Readonly<Record<string, string>> = {
  write_file: "Write a file",
  read_file: "Read a file",
  run_flow: "Run a flow",
  http_get: "Read a web page",
  search_knowledge: "Search the knowledge",
};

/** What a tool does, in words: `Write a file`; of `almanac__day_of_week` `Day of week`. */
export function toolWords(tool: string): string {
  if (Object.hasOwn(acts, tool)) return acts[tool] ?? tool;
  const words = tool
    .replace(/^.+?__/, "")
    .replaceAll(/[_.-]+/g, " ")
    .trim();
  return words === "" ? tool : words.charAt(0).toUpperCase() + words.slice(1);
}

const maxSubjectLength = 60;

/** A command in a line of words, with the first of its values that says what it is about: `Write a file: notes.md`. */
export function commandWords({ tool, args }: Command): string {
  const subject = Object.values(args).find(
    (value): value is string =>
      typeof value === "string" &&
      value.trim() !== "" &&
      value.length <= maxSubjectLength &&
      !value.includes("\n"),
  );
  return subject === undefined ? toolWords(tool) : `${toolWords(tool)}: ${subject}`;
}

/**
 * A message in words: of commands the first, and how many more there are; of any other message what is no command, which
 * says better what it is about.
 */
export function messageWords(text: string): string {
  const [first, ...more] = readCommands(text) ?? [];
  if (first === undefined)
    return text
      .split(/\r?\n/)
      .filter((line) => readCommands(line) === null)
      .join("\n");
  return commandWords(first) + (more.length > 0 ? `, and ${more.length} more` : "");
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
