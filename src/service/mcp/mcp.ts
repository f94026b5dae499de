import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpServerConfig, McpServerEntry } from "./config.ts";
import { connect, explainMcp } from "./connect.ts";
import { McpError } from "./mcp-error.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** A tool as its server describes it. Names and descriptions are the server's words: data. */
interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface McpAnswer {
  /** Content blocks, as the Model Context Protocol defines them. */
  readonly content: readonly JsonObject[];
  readonly structured: Json | null;
  /** The tool itself says that it failed. */
  readonly isError: boolean;
}

/** What is known of the connection to a server. `unknown`: it was not tried since the start. */
type McpStatus =
  | { readonly type: "unknown" | "unauthenticated" | "unreachable" }
  | { readonly type: "connected"; readonly toolCount: number };

/** The MCP servers of the workspace. Connections open when they are first needed, never by looking at a list. */
export interface Mcp {
  readonly servers: readonly McpServerConfig[];
  status(serverId: string): McpStatus;
  /** @throws McpError */
  listTools(serverId: string, signal: AbortSignal): Promise<readonly McpTool[]>;
  /**
   * @param key the same for a repeated call: sent along as `_meta`, for servers that can tell
   * @throws McpError
   */
  callTool(serverId: string, call: McpCall): Promise<McpAnswer>;
  close(): Promise<void>;
}

export interface McpCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly key: string;
  readonly signal: AbortSignal;
}

export interface McpOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly version: string;
  readonly directory: string;
  readonly path: string | undefined;
  /** Milliseconds for one call. */
  readonly callTimeout?: number;
}

/** The most tools that are read of one server. */
const mostTools = 500;

export function createMcp(entries: readonly McpServerEntry[], options: McpOptions): Mcp {
  const byId = new Map(entries.map((entry) => [entry.config.id, entry]));
  const clients = new Map<string, Promise<Client>>();
  const statuses = new Map<string, McpStatus>();
  const timeout = options.callTimeout ?? 120_000;

  function open(id: string): Promise<Client> {
    const entry = byId.get(id);
    if (entry === undefined) throw new McpError("unknown", `There is no MCP server ${id}.`);
    const [missing] = entry.missing;
    if (missing !== undefined) {
      throw new McpError(
        "unauthenticated",
        `The MCP server ${entry.config.name} needs the variable ${missing}.`,
      );
    }
    const known = clients.get(id);
    if (known !== undefined) return known;
    const client = connect(entry.config, { ...options, closed: () => clients.delete(id) });
    clients.set(id, client);
    client.catch(() => clients.delete(id));
    return client;
  }

  /** One exchange with a server; a connection that failed is given up, and the next call opens another. */
  async function exchange<T>(
    id: string,
    work: (client: Client) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    try {
      return await work(await open(id));
    } catch (error) {
      signal.throwIfAborted();
      const explained = explainMcp(byId.get(id)?.config.name ?? id, error);
      const { failure } = explained;
      if (failure === "unauthenticated" || failure === "unreachable") statuses.set(id, { type: failure });
      if (failure !== "timeout") await drop(id);
      throw explained;
    }
  }

  async function drop(id: string): Promise<void> {
    const client = clients.get(id);
    clients.delete(id);
    await client
      ?.then(
        (open) => open.close(),
        () => {},
      )
      .catch(() => {});
  }

  return {
    servers: entries.map((entry) => entry.config),
    status(id) {
      const known = statuses.get(id);
      if (known !== undefined) return known;
      return { type: (byId.get(id)?.missing.length ?? 0) > 0 ? "unauthenticated" : "unknown" };
    },
    listTools: (id, signal) =>
      exchange(
        id,
        async (client) => {
          const tools = await readTools(client, signal);
          statuses.set(id, { type: "connected", toolCount: tools.length });
          return tools;
        },
        signal,
      ),
    callTool: (id, { tool, args, key, signal }) =>
      exchange(
        id,
        async (client) => {
          const _meta = { "wheelhouse/idempotency-key": key };
          const answer = await client.callTool({ name: tool, arguments: { ...args }, _meta }, undefined, {
            signal,
            timeout,
          });
          return toAnswer(answer);
        },
        signal,
      ),
    async close() {
      await Promise.all([...clients.keys()].map(drop));
    },
  };
}

async function readTools(client: Client, signal: AbortSignal): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout: 30_000 });
    for (const { name, description, inputSchema } of page.tools) {
      tools.push({ name, description: (description ?? "").slice(0, 4_000), inputSchema: plain(inputSchema) });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < mostTools);
  return tools.slice(0, mostTools);
}

function toAnswer(answer: Awaited<ReturnType<Client["callTool"]>>): McpAnswer {
  const content = Array.isArray(answer.content) ? answer.content.map(plain) : [];
  return {
    content,
    structured: answer.structuredContent === undefined ? null : plain(answer.structuredContent),
    isError: answer.isError === true,
  };
}

/** What came over the wire is JSON; this says so to the types. */
function plain(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value ?? {}));
}
