import type { JsonValue } from "../json.ts";

export type { JsonValue };

/** Half of a surrogate pair without the other half. */
const loneSurrogate = /\p{Surrogate}/gu;

/**
 * The JSON text to give to a `json` or `jsonb` column: pg would turn an array into a PostgreSQL array. NUL and halves of
 * surrogate pairs, which the database refuses to take or to read as text, become U+FFFD: they come from pages and tools, and a run must not die of them.
 */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  if (!/\\u0000|\\ud[89a-f]/i.test(text)) return text;
  return JSON.stringify(storableValue(value)) ?? "null";
}

/** The text to give to a `text` column, with what it cannot hold replaced by U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll("\u0000", "\uFFFD").replaceAll(loneSurrogate, "\uFFFD");
}

function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (typeof value !== "object" || value === null) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return storableValue(value.toJSON());
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [storableText(key), storableValue(field)]),
  );
}
