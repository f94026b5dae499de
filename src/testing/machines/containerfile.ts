/** One line of a Containerfile, such as `RUN npm ci`. */
interface Step {
  readonly name: string;
  readonly text: string;
}

/** What begins with a FROM. */
export interface Stage {
  readonly base: string;
  /** Of `AS`; empty without it. */
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Reads a Containerfile, as far as ours goes: no ARG, no here-documents. @throws Error where it does not begin with FROM */
export function parseContainerfile(text: string): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { base: string; name: string; steps: Step[] }[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === "FROM") {
      const [, base = "", as = ""] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest) ?? [];
      stages.push({ base, name: as, steps: [] });
      continue;
    }
    const last = stages.at(-1);
    if (last === undefined) throw new Error(`${name} before FROM`);
    last.steps.push({ name, text: rest });
  }
  return stages;
}

/** The words of a command in its exec form. @throws Error for its shell form, which ours does not use */
export function execForm(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words)) throw new Error(`no list of words: ${text}`);
  return words.map(String);
}

/** Puts variables in as Compose does: `${NAME}`, `${NAME:-default}`, `${NAME:?why}`. @throws Error with why it is needed */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = "") => {
    const value = variables[name];
    if (value !== undefined && value !== "") return value;
    if (kind === "-") return rest;
    throw new Error(`${name}: ${rest}`);
  });
}
