/** Arguments to begin with: every required property of a JSON Schema, with its default or an empty value of its type. */
export function firstArguments(schema: unknown): string {
  const { properties, required } = (schema ?? {}) as { properties?: unknown; required?: unknown };
  const names = Array.isArray(required)
    ? required.filter((one): one is string => typeof one === "string")
    : [];
  const shapes = (typeof properties === "object" && properties !== null ? properties : {}) as Record<
    string,
    unknown
  >;
  const entries = names.map((name) => [name, firstValue(Object.hasOwn(shapes, name) ? shapes[name] : null)]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}

function firstValue(schema: unknown): unknown {
  const { type, default: given, enum: values } = (schema ?? {}) as Record<string, unknown>;
  if (given !== undefined) return given;
  if (Array.isArray(values)) return values[0];
  switch (type) {
    case "number":
    case "integer":
      return 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "";
  }
}

/** What was typed, as the object that is sent, or why it cannot be. */
export function readArguments(
  typed: string,
): { readonly args: Record<string, unknown> } | { readonly problem: string } {
  if (typed.trim() === "") return { args: {} };
  try {
    const value: unknown = JSON.parse(typed);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { args: value as Record<string, unknown> };
    return { problem: "Arguments are a JSON object: { … }" };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "This is not JSON" };
  }
}
