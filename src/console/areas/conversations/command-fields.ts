import type { Command } from "../../../contract/command.ts";

/** One value of a command, as a form asks for it. */
export interface CommandField {
  /** Where it stands in the arguments. */
  readonly path: readonly string[];
  readonly label: string;
  /** `lines`: a list of texts, one a line. */
  readonly kind: "line" | "text" | "number" | "boolean" | "lines";
}

export type FieldValue = string | boolean;

const labels: Readonly<Record<string, string>> = {
  saved_item_id: "Flow",
  url: "Address",
  query: "What to look for",
};
const longNames = new Set(["content", "text", "csv", "message", "body", "prompt"]);
const deepest = 3;

/** The values that a form can ask for; others stay in the command as they are. */
export function fieldsOf({ args }: Command): readonly CommandField[] {
  return inside(args, []);
}

function inside(object: Readonly<Record<string, unknown>>, path: readonly string[]): readonly CommandField[] {
  return Object.entries(object).flatMap(([key, value]): readonly CommandField[] => {
    const at = [...path, key];
    const kind = kindOf(key, value);
    if (kind !== null) return [{ path: at, label: labelOf(key), kind }];
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && at.length < deepest ? inside({ ...value }, at) : [];
  });
}

function kindOf(key: string, value: unknown): CommandField["kind"] | null {
  if (typeof value === "string") {
    return longNames.has(key) || value.includes("\n") || value.length > 80 ? "text" : "line";
  }
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts ? "lines" : null;
}

function labelOf(key: string): string {
  if (Object.hasOwn(labels, key)) return labels[key] ?? key;
  const words = key.replaceAll(/[_-]+/g, " ").trim();
  return words === "" ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a field shows at first. */
export function shownIn(command: Command, { path, kind }: CommandField): FieldValue {
  const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], command.args);
  if (kind === "boolean") return value === true;
  return Array.isArray(value) ? value.join("\n") : String(value);
}

/** Why a field cannot be sent so; null where it can. */
export function faultOf({ label, kind }: CommandField, value: FieldValue): string | null {
  if (kind === "line" && String(value).trim() === "") return `Fill in ${label}`;
  if (kind === "number" && (String(value).trim() === "" || !Number.isFinite(Number(value))))
    return `${label} has to be a number`;
  return null;
}

/** The command with what was typed in. */
export function filled(command: Command, values: readonly (readonly [CommandField, FieldValue])[]): Command {
  const args = structuredClone(command.args) as Record<string, unknown>;
  for (const [{ path, kind }, value] of values) {
    const holder = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, args);
    holder[path.at(-1) ?? ""] = typed(kind, value);
  }
  return { ...command, args };
}

function typed(kind: CommandField["kind"], value: FieldValue): unknown {
  if (kind === "number") return Number(value);
  if (kind !== "lines") return value;
  return String(value)
    .split("\n")
    .filter((line) => line.trim() !== "");
}
