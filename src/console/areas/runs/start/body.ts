import { readJson } from "../../../lib/code-editor/read-json.ts";

/** The text of the JSON tab, read: the object to send, or what is wrong with it and where (1-based line). */
export type ReadBody =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string; readonly line: number };

/** Reads what was typed as a JSON body of §4.3: an object; nothing at all is the empty object. */
export function readBody(text: string): ReadBody {
  if (text.trim() === "") return { ok: true, body: {} };
  const read = readJson(text);
  if (!read.ok) return { ok: false, problem: "Not valid JSON", line: read.problem.line };
  const { value } = read;
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return { ok: false, problem: "The body must be an object: { … }", line: 1 };
  }
  return { ok: true, body: value as Record<string, unknown> };
}

/** The form's values as a body: an empty field is not sent. */
export function bodyOfForm(values: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** A body as the form sends it: in the order of its fields, then what has none; an empty text is not sent. */
export function bodyInOrder(
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const own = names.filter((name) => Object.hasOwn(body, name));
  const others = Object.keys(body).filter((name) => !own.includes(name));
  const fields = [...own, ...others].map((name) => [name, body[name]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ""));
}

/** A body as the values of the form: what is no text is written as JSON. */
export function formOfBody(
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> {
  const values: [string, string][] = [];
  for (const name of names) {
    if (!Object.hasOwn(body, name)) continue;
    const value = body[name];
    values.push([name, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  return Object.fromEntries(values);
}
