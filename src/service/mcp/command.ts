import { ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/client";
import type { ByteRoom } from "../byte-room.ts";
import { type HeldLine, holdLine } from "../outgoing/held-lines.ts";
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
  const { start } = transport;
  transport.start = async () => {
    await start.call(transport);
    // The SDK shows nobody what it reads from, and reads on whatever has come.
    const process: unknown = Reflect.get(transport, "_process");
    if (process instanceof ChildProcess && process.stdout)
      readWithRoom(process.stdout, holdLine(options.room, config.id));
  };
  const { stderr } = transport;
  return { transport, output: stderr instanceof Readable ? lastLines(stderr, config.secrets) : null };
}

/** A line of which nothing more comes for so long holds no room, in milliseconds: others wait for it. */
const quietMs = 30_000;

/** Reads a long line on only where there is room for it: the command waits meanwhile. */
function readWithRoom(stdout: Readable, line: HeldLine): void {
  let held = 0;
  let quiet: NodeJS.Timeout | undefined;
  stdout.on("data", (piece: Buffer) => {
    clearTimeout(quiet);
    const end = piece.lastIndexOf("\n");
    held = end < 0 ? held + piece.length : piece.length - end - 1;
    const room = line.hold(held);
    if (room === null) return;
    stdout.pause();
    void room.then(() => {
      quiet = setTimeout(line.leave, quietMs).unref();
      stdout.resume();
    });
  });
  stdout.on("close", () => {
    clearTimeout(quiet);
    line.end();
  });
}
