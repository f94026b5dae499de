const keyword = "x-mcp-header";
/** RFC 9110, `token`. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** What holds values and no schemas. */
const values: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);

/**
 * Whether a tool may be offered as far as the parameters go that it wants as headers of its calls (revision 2026-07-28,
 * Streamable HTTP): each of a plain type, reached through `properties` alone, under a name that a header may have and no other
 * parameter has. A tool that breaks this must not be used: its calls would say something else to what stands between.
 */
export function hasUsableHeaders(inputSchema: unknown): boolean {
  const names = new Set<string>();
  const isFine = (schema: unknown, isReached: boolean): boolean => {
    if (Array.isArray(schema)) return schema.every((one) => isFine(one, false));
    if (typeof schema !== "object" || schema === null) return true;
    const given: Readonly<Record<string, unknown>> = { ...schema };
    const name = given[keyword];
    if (name !== undefined) {
      if (!isReached || typeof name !== "string" || !token.test(name) || !types.has(given.type)) return false;
      if (names.has(name.toLowerCase())) return false;
      names.add(name.toLowerCase());
    }
    return Object.entries(given).every(([key, part]) => {
      if (values.has(key) || key === keyword) return true;
      if (key !== "properties" || typeof part !== "object" || part === null) return isFine(part, false);
      // The parameters of the tool itself, and what they are made of; of the schema as a whole nothing can be a header.
      return Object.values(part).every((one) => isFine(one, isReached || schema === inputSchema));
    });
  };
  return isFine(inputSchema, false);
}
