import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Command, type CommandOptions, openCommand } from "./command.ts";
import type { McpServerConfig } from "./config.ts";
import { brokenCode, endingCalls, isTooLarge } from "./fetches.ts";
import { McpError, type McpFailure } from "./mcp-error.ts";

export interface ConnectOptions extends CommandOptions {
  /** The guarded fetch, with the connection's token where it has one. */
  readonly fetch: typeof globalThis.fetch;
  readonly version: string;
  /** Called once when the connection is gone, for whatever reason. */
  readonly closed: () => void;
}

/** An open connection to a server. */
export interface Opened {
  readonly client: Client;
  /** Puts an error of this connection into words. */
  explain(error: unknown): McpError;
}

/**
 * Connects to a server: by streamable HTTP, or by the command of the operator's file.
 * @throws McpError
 */
export async function connect(config: McpServerConfig, options: ConnectOptions): Promise<Opened> {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const client = new Client({ name: "wheelhouse", version: options.version });
  // Of a command's output, which ends the connection. Over HTTP the call's own error says it.
  let tooLarge = false;
  let connected = false;
  client.onclose = options.closed;
  client.onerror = (error) => {
    tooLarge ||= error.message.includes("exceeded maximum size");
    // The rest of a broken answer cannot be had: whoever still waits on this connection waits in vain.
    if (error.message.includes("Maximum reconnection attempts")) void client.close().catch(() => {});
  };
  const explain = (error: unknown) => {
    const reason = tooLarge ? new McpError("too_large", "", error) : error;
    return explainMcp(config.name, reason, connected ? "call" : "connect");
  };
  const { transport, output } = await openTransport(config, options);
  try {
    await client.connect(transport, { timeout: 15_000 });
    connected = true;
    output?.stop();
    return { client, explain };
  } catch (error) {
    await client.close().catch(() => {});
    throw output === null ? explain(error) : notStarted(explain(error), config.name, await output.read());
  }
}

async function openTransport(config: McpServerConfig, options: ConnectOptions): Promise<Command> {
  if (config.via === "stdio") return await openCommand(config, options);
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: endingCalls(options.fetch),
    requestInit: { headers: { ...config.headers } },
  });
  // The SDK's own classes disagree with its interface under exactOptionalPropertyTypes.
  return { transport: transport as Transport, output: null };
}

/** What became of a command that did not come as far as an answer. @param output its last lines */
function notStarted(error: McpError, name: string, output: string): McpError {
  const { failure, cause } = error;
  if (failure !== "unreachable" || answeredError(cause) !== null)
    return new McpError(failure, error.message, cause, output);
  const code = field(cause, "code");
  if (typeof code === "string") {
    const why = code === "ENOENT" ? "there is no such command" : `the system says ${code}`;
    return new McpError(failure, `The MCP server ${name} cannot be started: ${why}.`, cause, output);
  }
  const silence = output === "" ? " It printed no error." : "";
  return new McpError(failure, `The MCP server ${name} stopped while starting.${silence}`, cause, output);
}

const sentences: Readonly<Partial<Record<McpFailure, string>>> = {
  unauthenticated: "requires credentials that it did not receive.",
  timeout: "did not answer in time.",
  too_large: "answered with more than 10 MB, which is too much.",
  unreachable: "cannot be reached.",
};

/** What went wrong, without the SDK's words: they may quote headers and addresses with keys in them. */
export function explainMcp(name: string, error: unknown, during: "connect" | "call"): McpError {
  if (error instanceof McpError && error.message !== "") return error;
  const failure = failureOf(error);
  const broke = during === "call" && field(error, "code") === brokenCode && failure === "unreachable";
  const words = broke
    ? "stopped responding during the call."
    : answeredError(error) !== null
      ? "answered with an error."
      : sentences[failure];
  return new McpError(failure, `The MCP server ${name} ${words ?? sentences.unreachable}`, error);
}

function failureOf(error: unknown): McpFailure {
  if (error instanceof McpError) return error.failure;
  if (isTooLarge(error)) return "too_large";
  const code = field(error, "code");
  if (code === 401 || code === 403) return "unauthenticated";
  if (code === -32_001) return "timeout";
  return field(field(error, "data"), "reason") === "too_large" ? "too_large" : "unreachable";
}

/** What a server said when it answered a request with an error of the protocol, not with a result; null: it did not. */
export function answeredError(error: unknown): { readonly code: number; readonly message: string } | null {
  const code = field(error, "code");
  const ours = code === brokenCode || code === -32_001;
  if (!(error instanceof Error) || typeof code !== "number" || code > -32_000 || ours) return null;
  // The SDK puts the code before the server's words.
  return { code, message: error.message.replace(/^MCP error -\d+: /, "") };
}

/** The HTTP status with which the server refused, if that is what went wrong. 404 to a known session: it is lost. */
export function statusOf(error: McpError): number | null {
  const code = field(error.cause, "code");
  return typeof code === "number" && code > 0 ? code : null;
}

function field(value: unknown, name: "code" | "data" | "reason"): unknown {
  return typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
