import { type JsonValue, soundJson } from "../json.ts";

/** The text to give to a `text` column: pages and tools send what it cannot hold, and a run must not die of that. */
export { soundText as storableText } from "../json.ts";
export type { JsonValue };

/** The JSON text to give to a `json` or `jsonb` column: pg would turn an array into a PostgreSQL array. It is `storableText` all through. */
export function toJson(value: unknown): string {
  return soundJson(JSON.stringify(value) ?? "null");
}
