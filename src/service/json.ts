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

/** Brings anything into JSON; what JSON cannot say (undefined, functions, NaN) becomes null. */
export function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null) ?? "null");
}
