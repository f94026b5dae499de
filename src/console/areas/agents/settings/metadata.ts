import { preferenceLimits } from "../../../../contract/agent-settings.ts";
import { isObject, type JsonObject, own, presentKeys } from "../../../lib/json/json-value.ts";
import { capitalized } from "../labels.ts";

/** The sections of metadata that have a form here, in their order (docs/interface.md, "Agent"). */
const formSections = ["preferences", "personalization", "chat", "appearance"] as const;
export type FormSection = (typeof formSections)[number];

/** What the keys of a section with a form hold. A whole number has no fraction. */
type Kind = "whole" | "number" | "text" | "texts" | "icon";

/** One key of a section, with its name for people, its unit and its limits. */
export interface SettingKey {
  readonly key: string;
  readonly label: string;
  readonly kind: Kind;
  readonly unit?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What holds where it is not set. */
  readonly unset?: string;
}

const limited = (key: keyof typeof preferenceLimits) => ({ key, ...preferenceLimits[key] });

/** The model has its own. */
const ofModel = "default";

export const settingKeys: Readonly<Record<FormSection, readonly SettingKey[]>> = {
  preferences: [
    { label: "Maximum steps", kind: "whole", ...limited("max_steps") },
    { label: "Turn timeout", kind: "whole", unit: "s", ...limited("timeout_s") },
    { label: "Temperature", kind: "number", unset: ofModel, ...limited("temperature") },
    { label: "Max answer tokens", kind: "whole", unset: ofModel, ...limited("max_tokens") },
  ],
  personalization: [{ key: "instructions", label: "Instructions", kind: "text" }],
  chat: [{ key: "starter_prompts", label: "Starter prompts", kind: "texts" }],
  appearance: [{ key: "icon", label: "Icon", kind: "icon" }],
};

/** Whether a section of the metadata has a form; others are edited as JSON. */
export const isFormSection = (section: string): section is FormSection =>
  (formSections as readonly string[]).includes(section);

/** Whether a section's value can be shown in its form: what the form knows has the type that it expects. */
export function fitsForm(section: FormSection, value: unknown): boolean {
  if (value == null) return true;
  if (!isObject(value)) return false;
  return settingKeys[section].every(({ key, kind }) => {
    const found = own(value, key);
    if (found == null) return true;
    if (kind === "texts") return Array.isArray(found) && found.every((one) => typeof one === "string");
    return typeof found === (kind === "text" || kind === "icon" ? "string" : "number");
  });
}

/** What a section holds beyond its form. */
export function otherKeys(section: FormSection, value: unknown): JsonObject {
  if (!isObject(value)) return {};
  const known = new Set(settingKeys[section].map(({ key }) => key));
  return Object.fromEntries(presentKeys(value).flatMap((key) => (known.has(key) ? [] : [[key, value[key]]])));
}

/**
 * A number that is typed. Nothing typed is undefined: the service's own value.
 * @returns false where it is none, or lies outside the limits
 */
export function readNumber(text: string, { kind, minimum, maximum }: SettingKey) {
  const trimmed = text.trim().replace(",", ".");
  if (trimmed === "") return { ok: true, value: undefined } as const;
  const value = Number(trimmed);
  const fits =
    Number.isFinite(value) &&
    (kind !== "whole" || Number.isInteger(value)) &&
    value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? Number.POSITIVE_INFINITY);
  return fits ? ({ ok: true, value } as const) : ({ ok: false } as const);
}

/** A section with one key changed; undefined takes it out. */
export function withKey(value: unknown, key: string, next: unknown): JsonObject {
  const before = isObject(value) ? value : {};
  if (next !== undefined) return { ...before, [key]: next };
  const { [key]: _, ...rest } = before;
  return rest;
}

/** The name of a section for people: `starter_set` is "Starter set". */
export function sectionTitle(section: string): string {
  return capitalized(section.replaceAll("_", " "));
}

/**
 * Why a section of this name cannot be added; null where it can.
 * @param hasEvaluations the evaluation has a page of its own
 */
export function newSectionProblem(
  name: string,
  metadata: JsonObject,
  hasEvaluations: boolean,
): string | null {
  if (name === "") return "Enter a name.";
  if (!/^[A-Za-z]/.test(name)) return "Start with a letter.";
  if (!/^[\w-]+$/.test(name)) return "Use only letters, digits, _ and -.";
  if (name.length > 64) return "Use at most 64 characters.";
  if (name === "evaluation" && hasEvaluations) return "Evaluation has its own page.";
  if (isFormSection(name) || own(metadata, name) !== undefined) return "This section already exists.";
  return null;
}

/**
 * The sections of metadata to show: those with a form always, others where one of the versions has them.
 * @param hasEvaluations the evaluation has a page of its own, so it is not shown here as JSON
 */
export function sectionsOf(hasEvaluations: boolean, ...versions: readonly JsonObject[]): readonly string[] {
  const others = versions.flatMap((metadata) => presentKeys(metadata));
  return [...new Set<string>([...formSections, ...others])].filter(
    (section) => !hasEvaluations || section !== "evaluation",
  );
}
