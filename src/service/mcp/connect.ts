import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpServerConfig } from "./config.ts";
import { McpError } from "./mcp-error.ts";

export interface ConnectOptions {
  /** The guarded fetch. */
  readonly fetch: typeof globalThis.fetch;
  readonly version: string;
  /** Where commands start. Absolute. */
  readonly directory: string;
  /** `PATH` for commands. */
  readonly path: string | undefined;
  /** Called once when the connection is gone, for whatever reason. */
  readonly closed: () => void;
}

/**
 * Connects to a server: by streamable HTTP, or by the command of the operator's file.
 * @throws McpError
 */
export async function connect(config: McpServerConfig, options: ConnectOptions): Promise<Client> {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const client = new Client({ name: "wheelhouse", version: options.version });
  client.onclose = options.closed;
  try {
    await client.connect(await openTransport(config, options), { timeout: 15_000 });
    return client;
  } catch (error) {
    await client.close().catch(() => {});
    throw explainMcp(config.name, error);
  }
}

async function openTransport(config: McpServerConfig, options: ConnectOptions): Promise<Transport> {
  if (config.via === "stdio") {
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    // Beyond HOME, USER and the like no variable of the service reaches a command: keys are none of its business.
    const env = { ...(options.path === undefined ? {} : { PATH: options.path }), ...config.env };
    const { args } = config;
    // The very Node that runs the service, wherever it is installed.
    const command = config.command === "node" ? process.execPath : config.command;
    return new StdioClientTransport({
      command,
      args: [...args],
      env,
      cwd: options.directory,
      stderr: "ignore",
    });
  }
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: options.fetch,
    requestInit: { headers: { ...config.headers } },
  });
  // The SDK's own classes disagree with its interface under exactOptionalPropertyTypes.
  return transport as Transport;
}

/** What went wrong, without the SDK's words: they may quote headers and addresses with keys in them. */
export function explainMcp(name: string, error: unknown): McpError {
  if (error instanceof McpError) return error;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  const kind = error instanceof Error ? error.constructor.name : "";
  if (kind === "UnauthorizedError" || code === 401 || code === 403) {
    return new McpError(
      "unauthenticated",
      `The MCP server ${name} wants credentials that it did not get.`,
      error,
    );
  }
  if (code === -32001)
    return new McpError("timeout", `The MCP server ${name} did not answer in time.`, error);
  return new McpError("unreachable", `The MCP server ${name} cannot be reached.`, error);
}
