#!/usr/bin/env node
import { help } from "./cli/help.ts";
import { type OpenedLog, openLog } from "./cli/log.ts";
import { isGone } from "./cli/log-sink.ts";
import { type Command, parseCommand } from "./cli/parse-command.ts";
import { printable } from "./cli/printable.ts";
import type { Terminal } from "./cli/terminal.ts";
import { UsageError } from "./cli/usage-error.ts";
import { DataDirectoryError } from "./data-directory.ts";

const terminal: Terminal = {
  print: (line) => process.stdout.write(`${printable(line)}\n`),
  complain: (line) => process.stderr.write(`${printable(line)}\n`),
};

/** Reads the command line, does what it says. @returns the exit code; 2 for a wrong command line */
async function main(): Promise<number> {
  let command: Command;
  try {
    command = parseCommand(process.argv.slice(2), process.env, process.cwd());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.complain(error.message);
    return 2;
  }
  switch (command.type) {
    case "help":
      terminal.print(help);
      return 0;
    case "version": {
      const { schemaNumber } = await import("./store/schema-number.ts");
      terminal.print(`${command.version} (schema ${schemaNumber})`);
      return 0;
    }
    case "check": {
      const { runCheck } = await import("./workspace/check.ts");
      return await runCheck(command.directory, terminal.print);
    }
    case "doctor": {
      const { doctor } = await import("./cli/doctor.ts");
      return await doctor(command.config, command, terminal);
    }
    case "backup": {
      const { backup } = await import("./cli/backup.ts");
      return await backup(command.config, command, terminal);
    }
    case "restore": {
      const { restore } = await import("./cli/restore.ts");
      return await restore(command.config, command, terminal);
    }
    case "upgrade": {
      const { upgrade } = await import("./cli/upgrade.ts");
      return await upgrade(command.config, command, terminal);
    }
    default:
      return await withLog(command);
  }
}

/** Commands are loaded when they are needed: `--help` does not read the whole service. */
async function withLog(
  command: Exclude<
    Extract<Command, { config: unknown }>,
    { type: "doctor" | "backup" | "restore" | "upgrade" }
  >,
): Promise<number> {
  let opened: OpenedLog;
  try {
    opened = openLog(command.config, process.stderr.isTTY === true);
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    terminal.complain(error.message);
    return 1;
  }
  surviveMistakes(opened);
  try {
    switch (command.type) {
      case "start":
        return await (await import("./cli/start.ts")).start(command.config, opened, terminal);
      case "worker":
        return await (await import("./cli/worker.ts")).worker(command.config, opened, terminal);
      case "sign-in-link":
        return await (await import("./cli/sign-in-link.ts")).signInLink(command, opened, terminal);
      case "retention":
        return await (await import("./cli/retention.ts")).retention(
          command.config,
          command.action,
          opened,
          terminal,
        );
      case "resume":
        return await (await import("./cli/resume.ts")).resume(command.config, opened, terminal);
      case "files-adopt":
        return await (await import("./cli/files-adopt.ts")).filesAdopt(command.config, opened, terminal);
      case "files-move":
        return await (await import("./cli/files-move.ts")).filesMove(
          command.config,
          command,
          opened,
          terminal,
        );
      case "audit-verify":
        return await (await import("./cli/audit.ts")).auditVerify(
          command.config,
          command.verify,
          opened,
          terminal,
        );
      case "keys":
        return await (await import("./cli/keys.ts")).keys(command.config, command.action, opened, terminal);
    }
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.complain(error.message);
      return 2;
    }
    opened.log.fatal({ err: error }, "the process ends");
    terminal.complain(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

/** A forgotten promise is a mistake to repair, not a reason to end everybody's requests; a broken state is one. */
function surviveMistakes({ log }: OpenedLog): void {
  process.on("unhandledRejection", (error) =>
    log.error({ err: error }, "a promise failed and nobody looked"),
  );
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "the process ends: an error reached the top");
    terminal.complain(`Wheelhouse ends: ${error.message}`);
    process.exit(1);
  });
}

/**
 * What a pipe has not taken yet would be lost with the process; whoever closed theirs wants no more.
 * @param mostMs for so long a pipe that takes nothing is waited for
 */
async function allSaid(stream: NodeJS.WriteStream, mostMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    if (Number.isFinite(mostMs)) setTimeout(resolve, mostMs);
    stream.off("error", unlessUnheard);
    stream.once("error", () => resolve());
    stream.write("", () => resolve());
  });
}

/** Whoever closed theirs wants no more; what a service does matters more than what it says. */
function unlessUnheard(error: NodeJS.ErrnoException): void {
  if (!isGone(error) && !isService) throw error;
}

/** Nobody looks on page by page at what a service says, and whatever restarts it waits for its end. */
const isService = ["start", "worker"].includes(process.argv[2] ?? "");

for (const stream of [process.stdout, process.stderr]) stream.on("error", unlessUnheard);
process.exitCode = await main();
const mostMs = isService ? 1_000 : Number.POSITIVE_INFINITY;
await Promise.all([allSaid(process.stdout, mostMs), allSaid(process.stderr, mostMs)]);
// Sockets of clients that are kept alive and timers of libraries must not hold a finished process.
process.exit();
