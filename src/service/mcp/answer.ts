import type { JsonObject, JsonValue } from "../json.ts";

/** What a tool answered. All of it is data. */
export interface McpAnswer {
  /** Content blocks, as the Model Context Protocol defines them. */
  readonly content: readonly JsonObject[];
  readonly structured: JsonValue | null;
  /** The tool itself says that it failed. */
  readonly isError: boolean;
}

/** @param answer as it came over the wire, read by the SDK's schema */
export function toAnswer(answer: {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}): McpAnswer {
  const blocks: readonly unknown[] = Array.isArray(answer.content) ? answer.content : [];
  return {
    content: blocks.map(plain),
    // A server that writes null where it has none says it all in its content.
    structured: answer.structuredContent == null ? null : plain(answer.structuredContent),
    isError: answer.isError === true,
  };
}

/** What came over the wire is JSON; this says so to the types. */
function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value ?? {}));
}
