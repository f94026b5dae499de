import { openSync } from "node:fs";
import { join } from "node:path";
import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "../config.ts";
import { DataDirectoryError, makeDataDirectory, warnOfOpenDirectory } from "../data-directory.ts";
import { causesOf } from "../store/store-error.ts";
import { logSink } from "./log-sink.ts";

/** The process's log: JSON lines, one for each request and for what went wrong. */
export interface OpenedLog {
  readonly log: Logger;
  /** The file's path; null where the lines go to stderr. */
  readonly file: string | null;
}

/**
 * Opens the log: stderr where something collects it, and a file in the data directory where a person looks on, so that
 * the terminal keeps what is written for people.
 * @throws DataDirectoryError where the file cannot be written
 */
export function openLog(config: Pick<Config, "dataDirectory">, terminal: boolean): OpenedLog {
  const file = terminal ? join(config.dataDirectory, "wheelhouse.log") : null;
  if (file !== null) makeDataDirectory(config.dataDirectory);
  const sink = logSink(file === null ? 2 : openFile(file));
  process.once("exit", sink.end);
  const log = createLog(sink);
  warnOfOpenDirectory(config.dataDirectory, log);
  return { log, file };
}

function openFile(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw new DataDirectoryError(file, error);
  }
}

/** The time of a line; lines of the same millisecond share its text. */
function isoTime(): () => string {
  let at = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

/** A logger that keeps secrets out: errors are reduced to name, code, sentence and stack, without their other fields. */
export function createLog(destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    base: { pid: process.pid },
    timestamp: isoTime(),
    serializers: { err: describeError },
    redact: {
      paths: ["authorization", "secret", "token", "password", "api_key", "*.authorization"],
      censor: "[secret]",
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** PostgreSQL's errors carry the row that they are about, clients' errors carry headers: neither belongs in a log. */
function describeError(thrown: unknown): unknown {
  return causesOf(thrown).reduceRight(describe, undefined);
}

function describe(cause: unknown, error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error ? error.code : undefined;
  return { type: error.name, code, message: error.message, stack: error.stack, cause };
}
