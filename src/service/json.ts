/** What JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param key is looked up as an own property only: `constructor` or `__proto__` are plain names
 * @returns undefined when the value is no object or has no such key
 */
export function ownField(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Text of a value for people and templates: strings as they are, null as nothing, the rest as JSON. */
export function textOf(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * About how many bytes a value takes as JSON text, without making that.
 * @param enough it is counted no further than this, or just beyond
 */
export function roughBytes(value: JsonValue, enough: number): number {
  let bytes = 0;
  const open = [value];
  for (let value = open.pop(); value !== undefined && bytes <= enough; value = open.pop()) {
    if (typeof value === "string") bytes += value.length;
    else if (typeof value !== "object" || value === null) bytes += 8;
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else
      for (const [key, field] of Object.entries(value)) {
        bytes += key.length;
        open.push(field);
      }
  }
  return bytes;
}

// In unicode mode only halves of surrogate pairs match the class: a cut or a tool leaves them.
const unsound = /[\0\p{Surrogate}]/gu;

/** Whether a text has nothing that databases and models refuse: NUL, and halves of surrogate pairs. */
export function isSoundText(text: string): boolean {
  return text.search(unsound) === -1;
}

/** The text with U+FFFD for all that. */
export function soundText(text: string): string {
  return text.replaceAll(unsound, "\uFFFD");
}

/**
 * The same for all texts and keys in a JSON text, in which `JSON.stringify` writes both as escapes.
 * @param text as `JSON.stringify` gave it
 */
export function soundJson(text: string): string {
  if (!/\\u0000|\\ud[89a-f]/.test(text)) return text;
  return text.replaceAll(/\\(?:u0000|ud[89a-f]..|.)/g, (one) => (one.length === 2 ? one : "\uFFFD"));
}

/** What a JSON text from outside may hold: it is built in one go, in which nothing else is done. */
export const jsonLimits = { values: 500_000, keys: 20_000, key: 4_096 } as const;

/**
 * Of what a JSON text has more than it may, counted without building any: a short text can have millions of values, each of
 * which costs a hundred times its characters, and each different key costs a hundred times what a value costs. What is no JSON
 * is left to whoever parses it.
 * @returns for a sentence: "500,000 values"; null: it is within the limits
 */
export function jsonExcess(text: string): string | null {
  let values = 0;
  /** The text before where it stands; null: there is none since the last key. */
  let last: { readonly begun: number; readonly end: number } | null = null;
  const keys = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x22) {
      const end = endOfString(text, at);
      if (end === -1) return null;
      last = { begun: at + 1, end };
      at = end;
    } else if (character === 0x3a && last !== null) {
      if (last.end - last.begun > jsonLimits.key)
        return `${jsonLimits.key.toLocaleString("en")} characters in a key`;
      keys.add(text.slice(last.begun, last.end));
      last = null;
      if (keys.size > jsonLimits.keys) return `${jsonLimits.keys.toLocaleString("en")} different keys`;
    } else if (character === 0x2c || character === 0x5b || character === 0x7b) {
      if (++values > jsonLimits.values) return `${jsonLimits.values.toLocaleString("en")} values`;
    }
  }
  return null;
}

/** @param start of the opening quote in a JSON text @returns the position of the closing one, -1 without one */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

/** The value of a JSON text from outside, of whatever shape; null also where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Brings anything into JSON; what JSON cannot say (undefined, functions, NaN) becomes null. */
export function toJsonValue(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null) ?? "null");
}
