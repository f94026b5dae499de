import { PassThrough } from "node:stream";
import type { Transport } from "@modelcontextprotocol/client";
import type { ByteRoom } from "../byte-room.ts";
import { holdLine } from "../outgoing/held-lines.ts";
import type { McpServerConfig } from "./config.ts";
import { type LastLines, lastLines } from "./last-lines.ts";

export interface CommandOptions {
  /** Where commands start. Absolute. */
  readonly directory: string;
  /** `PATH` for commands. */
  readonly path: string | undefined;
  /** For what is long of answers while it comes; it may be shared with others. */
  readonly room: ByteRoom;
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
  const [{ getDefaultEnvironment }, { CommandTransport }] = await Promise.all([
    import("@modelcontextprotocol/client/stdio"),
    import("./command-transport.ts"),
  ]);
  // Beyond HOME, USER and the like no variable of the service reaches a command: keys are none of its business.
  const path = options.path === undefined ? {} : { PATH: options.path };
  const env = { ...getDefaultEnvironment(), ...path, ...config.env };
  // The very Node that runs the service, wherever it is installed.
  const command = config.command === "node" ? process.execPath : config.command;
  const stderr = new PassThrough();
  const transport = new CommandTransport(
    { command, args: config.args, env, directory: options.directory, stderr },
    holdLine(options.room, config.id),
  );
  return { transport, output: lastLines(stderr, config.secrets) };
}
