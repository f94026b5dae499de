import { givenParams } from "../../../lib/search-params.ts";

/** What of an agent's settings stands in the address. */
export interface SettingsSearch {
  /** The section that is looked at: `prompt`, `tools`, `metadata.chat`. */
  section?: string | undefined;
  /** The prompt's changes instead of its text. */
  prompt?: "changes" | undefined;
  /** What another person saved meanwhile and the draft, in one. */
  view?: "merge" | undefined;
  /** Only what the other person changed, over the page. */
  see?: "theirs" | undefined;
  /** The field that is looked at in the merge. */
  field?: string | undefined;
  /** How a merged text is shown. */
  show?: "sides" | "result" | undefined;
}

const one = <T extends string>(value: unknown, known: readonly T[]): T | undefined =>
  known.find((name) => name === value);
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;

/** Reads the address of an agent's settings; what is not understood is left out. */
export function readSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  const search: SettingsSearch = {
    section: text(raw.section),
    prompt: one(raw.prompt, ["changes"]),
    view: one(raw.view, ["merge"]),
    see: one(raw.see, ["theirs"]),
    field: text(raw.field),
    show: one(raw.show, ["sides", "result"]),
  };
  return givenParams(search);
}
