import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject, JsonValue } from "../json.ts";

/** A tool as its server describes it. Names and descriptions are the server's words: data. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Of everything that the server says the tool is; the order of keys does not matter. */
  readonly hash: string;
}

/** What a model and a person are given of a description, in characters. */
const longestDescription = 4_000;
/** A definition longer than this, in characters of JSON, is no description of a tool. */
const longestDefinition = 100_000;

/** @returns null for a definition that is too long to be given to anybody, and for a name that is none */
export function readDefinition(tool: Tool): ToolDefinition | null {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  if (!/^[^\p{Cc}\p{Cs}\p{Cf}]{1,128}$/u.test(name)) return null;
  const said = JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations });
  if (said.length > longestDefinition) return null;
  const { inputSchema: schema }: { inputSchema: JsonObject } = JSON.parse(said);
  const hash = createHash("sha256")
    .update(canonical(JSON.parse(said)))
    .digest("base64url");
  return { name, description: (description ?? "").slice(0, longestDescription), inputSchema: schema, hash };
}

/** JSON with the keys of every object in order. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}
