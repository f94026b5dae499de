import { runInNewContext } from "node:vm";
import { z } from "zod";
import { firstProblem } from "../../../contract/problems.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";

/** Arguments that a person wrote, or what is wrong with them: `path` within them, `problem` the rest of the sentence. */
export type CheckedArguments =
  /** `text`: as they run. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/** A schema is a stranger's: one whose patterns take for ever must not hold up everybody, in milliseconds. */
const schemaTime = 250;

/**
 * Reads the JSON text of edited arguments and checks them against the tool's schema. What runs is the text as it is written
 * back, so that nobody reads something else than was meant: a number that does not survive that is refused.
 */
export function checkArguments(text: string, schema: JsonObject): CheckedArguments {
  const value = readJson(text);
  if (value === undefined) return { ok: false, path: "", problem: "must be JSON" };
  if (!isJsonObject(value)) return { ok: false, path: "", problem: "must be a JSON object" };
  const lost = lostNumber(text);
  if (lost !== null)
    return { ok: false, path: "", problem: `has a number that cannot be kept exactly: ${lost}` };
  const checked = check(value, schema);
  if (checked === null)
    return { ok: false, path: "", problem: "cannot be checked against the tool's schema" };
  return checked.problem === null
    ? { ok: true, text: JSON.stringify(value) }
    : { ok: false, path: checked.path, problem: checked.problem };
}

/** Whether arguments can be checked against a schema, so that they may be edited. */
export function isCheckable(schema: JsonObject): boolean {
  return check({}, schema) !== null;
}

/** @returns null for a schema that cannot be read, says what is not known here, or takes too long */
function check(
  value: JsonObject,
  schema: JsonObject,
): { readonly path: string; readonly problem: string | null } | null {
  const work = () => {
    if (hasUnicodePattern(schema)) return null;
    const parsed = z.fromJSONSchema(schema).safeParse(value);
    if (parsed.success) return { path: "", problem: null };
    const { path, problem } = firstProblem(parsed.error.issues, value);
    return { path, problem };
  };
  let found: ReturnType<typeof work> | null = null;
  const keep = () => {
    found = work();
  };
  try {
    runInNewContext("keep()", { keep }, { timeout: schemaTime });
  } catch {
    return null;
  }
  return found;
}

/** `\p{…}` and `\u{…}`: zod reads patterns without the flag that gives these their meaning, and would refuse what is right. */
const ofUnicode = /(?:^|[^\\])(?:\\\\)*\\(?:[pP]|u)\{/;

function hasUnicodePattern(schema: JsonObject): boolean {
  let found = false;
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "pattern" && typeof value === "string") found ||= ofUnicode.test(value);
    if (key === "patternProperties" && isJsonObject(value))
      found ||= Object.keys(value).some((name) => ofUnicode.test(name));
    return value;
  });
  return found;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first whole number that is not the same once it was read. */
function lostNumber(text: string): string | null {
  const outside = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  for (const [number] of outside.matchAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    const value = Number(number);
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) return number;
  }
  return null;
}
