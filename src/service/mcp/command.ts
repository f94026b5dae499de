import { Readable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/client";
import type { McpServerConfig } from "./config.ts";
import { type LastLines, lastLines } from "./last-lines.ts";

export interface CommandOptions {
  /** Where commands start. Absolute. */
  readonly directory: string;
  /** `PATH` for commands. */
  readonly path: string | undefined;
}

/** A command that is about to be started, and what it says of itself. */
export interface Command {
  readonly transport: Transport;
  readonly output: LastLines | null;
}

/** Makes the transport of a command of the operator's file. */
export async function openCommand(
  config: Extract<McpServerConfig, { readonly via: "stdio" }>,
  options: CommandOptions,
): Promise<Command> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  // Beyond HOME, USER and the like no variable of the service reaches a command: keys are none of its business.
  const env = { ...(options.path === undefined ? {} : { PATH: options.path }), ...config.env };
  // The very Node that runs the service, wherever it is installed.
  const command = config.command === "node" ? process.execPath : config.command;
  const transport = new StdioClientTransport({
    command,
    args: [...config.args],
    env,
    cwd: options.directory,
    stderr: "pipe",
  });
  const { stderr } = transport;
  return { transport, output: stderr instanceof Readable ? lastLines(stderr, config.secrets) : null };
}
