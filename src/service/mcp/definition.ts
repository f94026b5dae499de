import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Client, Tool } from "@modelcontextprotocol/client";
import { anySignal } from "../any-signal.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { answeredError } from "./connect.ts";
import { hasUsableHeaders } from "./param-headers.ts";

/** What a server says of a tool beside its name. All of it is the server's words: data. */
export interface ToolWords {
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The rest is given to no model, but is compared all the same; null: it says nothing of the kind. */
  readonly title: string | null;
  readonly outputSchema: JsonObject | null;
  /** Hints, such as that it only reads. */
  readonly annotations: JsonObject | null;
}

/** A tool as its server describes it. */
export interface ToolDefinition extends ToolWords {
  readonly name: string;
  /** Of everything that the server says the tool is; the order of keys does not matter. */
  readonly hash: string;
}

/** What a model and a person are given of a description, in characters. */
const maxDescriptionLength = 4_000;
/** A definition longer than this, in characters of JSON, is no description of a tool. */
const maxDefinitionLength = 100_000;

/** @returns null for a definition that is too long to be given to anybody, and for a name that is none */
function readDefinition(tool: Tool): ToolDefinition | null {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  if (!/^[^\p{Cc}\p{Cs}\p{Cf}]{1,128}$/u.test(name)) return null;
  const said = JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations });
  if (said.length > maxDefinitionLength) return null;
  const plain: Pick<ToolDefinition, "inputSchema"> & Partial<ToolWords> = JSON.parse(said);
  const hash = hashOf(JSON.parse(said));
  return {
    name,
    description: (description ?? "").slice(0, maxDescriptionLength),
    inputSchema: plain.inputSchema,
    title: plain.title?.slice(0, maxDescriptionLength) ?? null,
    outputSchema: plain.outputSchema ?? null,
    annotations: plain.annotations ?? null,
    hash,
  };
}

/** The digest of what a tool says of itself; the order of keys does not matter. */
export function hashOf(said: JsonValue): string {
  return createHash("sha256").update(canonical(said)).digest("base64url");
}

/** JSON with the keys of every object in order. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
}

/** The most tools that are read of one server. */
const maxTools = 500;
const methodNotFound = -32_601;

/** All tools of a server, without the SDK's own list: that one compiles what the server sends into code. */
export async function listDefinitions(client: Client, signal: AbortSignal): Promise<ToolDefinition[]> {
  const tools = new Map<string, ToolDefinition>();
  const names = new Set<string>();
  const isModern = client.getProtocolEra() === "modern";
  let cursor: string | undefined;
  for (;;) {
    const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } } as const;
    const answer = await client
      .request(request, { signal: anySignal([signal]), timeout: 30_000 })
      .catch((error: unknown) => {
        // A server that has no tools at all need not know the question.
        if (answeredError(error)?.code === methodNotFound) return { tools: [], nextCursor: undefined };
        throw error;
      });
    const before = names.size;
    for (const tool of answer.tools) {
      // Each may be long, and all of them come at once.
      await setImmediate();
      names.add(tool.name);
      const definition = readDefinition(tool);
      // Of two tools of one name the first counts: nothing is shown that was not compared.
      if (!definition || (isModern && !hasUsableHeaders(definition.inputSchema))) continue;
      if (!tools.has(definition.name)) tools.set(definition.name, definition);
    }
    cursor = answer.nextCursor;
    // A page that brings nothing new would be followed by such pages for ever.
    if (cursor === undefined || names.size === before || names.size >= maxTools) break;
  }
  return [...tools.values()].slice(0, maxTools);
}

/**
 * The id under which answers, allow lists and agents name a tool. No two tools share one: an id of a server has no `__` in
 * it and does not end in `_`, so the first `__` ends it.
 */
export function toolCallId(serverId: string, tool: string): string {
  return `${serverId}__${tool}`;
}
