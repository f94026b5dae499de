import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { plainSchema } from "./plain-schemas.ts";
import type { ProviderSettings } from "./settings.ts";
import type { ToolSpec } from "./types.ts";

/** Characters of a tool's description that OpenAI takes. */
const openaiDescription = 1_024;

/** What a provider is told of a tool beside its name. */
type ToldTool = Pick<ToolSpec, "description" | "parameters">;

/**
 * A tool as its provider takes it: OpenAI and Anthropic read no more than a part of JSON Schema, and refuse a whole request
 * for one tool that says more. The tool's server reads the arguments by all that it says in any case.
 * @param isPlain whether its server has refused more than `plainSchema` makes
 */
export function toldTool(
  { description, parameters }: ToldTool,
  kind: ProviderSettings["kind"],
  isPlain: boolean,
): ToldTool {
  if (isPlain) return { description, parameters: plainSchema(parameters) };
  // Where none are named at all OpenAI refuses it too, also behind such a server.
  if (kind === "compatible") return { description, parameters: { properties: {}, ...parameters } };
  const flat = withoutCombinations(parameters);
  if (kind === "anthropic") return { description, parameters: flat };
  return { description: cut(description), parameters: withItems(flat) };
}

function cut(description: string): string {
  if (description.length <= openaiDescription) return description;
  return `${description.slice(0, openaiDescription - 1).replace(/\p{Surrogate}$/u, "")}…`;
}

const combinations = ["allOf", "anyOf", "oneOf"];
/** Keywords that the schema of a tool must not have at its top. */
const refused = [...combinations, "not", "enum"];

/** One object with the properties that any of its variants has. */
function withoutCombinations(schema: JsonObject): JsonObject {
  const variants = combinations.flatMap((keyword): readonly JsonValue[] => {
    const listed = schema[keyword];
    return Array.isArray(listed) ? listed : [];
  });
  const found = new Map<string, JsonValue[]>();
  for (const part of [schema, ...variants]) {
    const properties = isJsonObject(part) && isJsonObject(part.properties) ? part.properties : {};
    for (const [name, one] of Object.entries(properties)) found.set(name, [...(found.get(name) ?? []), one]);
  }
  const properties = [...found].map(([name, [first = {}, ...others]]) => {
    return [name, others.length === 0 ? first : { anyOf: [first, ...others] }] as const;
  });
  const rest = Object.entries(schema).filter(([keyword]) => !refused.includes(keyword));
  return { ...Object.fromEntries(rest), properties: Object.fromEntries(properties) };
}

/** OpenAI wants to hear of each list what is in it. */
function withItems(schema: JsonObject): JsonObject {
  const told = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, inside(part)]));
  const isList = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
  return isList && schema.items === undefined ? { ...told, items: {} } : told;
}

function inside(part: JsonValue): JsonValue {
  if (Array.isArray(part)) return part.map(inside);
  return isJsonObject(part) ? withItems(part) : part;
}
