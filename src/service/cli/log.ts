import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "../config.ts";

/** The process's log: JSON lines, one for each request and for what went wrong. */
export interface OpenedLog {
  readonly log: Logger;
  /** The file's path; null where the lines go to stderr. */
  readonly file: string | null;
  /** Before the process ends. */
  flush(): void;
}

/**
 * Opens the log: stderr where something collects it, and a file in the data directory where a person looks on, so that
 * the terminal keeps what is written for people.
 */
export function openLog(config: Pick<Config, "dataDirectory">, terminal: boolean): OpenedLog {
  const file = terminal ? join(config.dataDirectory, "wheelhouse.log") : null;
  if (file !== null) mkdirSync(config.dataDirectory, { recursive: true });
  // Under load many lines share a write; a line waits for others a tenth of a second at most.
  const pace = { sync: false, minLength: 8192, periodicFlush: 100 };
  const destination = pino.destination(
    file === null ? { fd: 2, ...pace } : { dest: file, mode: 0o600, ...pace },
  );
  const flush = () => {
    try {
      destination.flushSync();
    } catch {
      // Not open yet, or already gone: there is nothing to flush.
    }
  };
  return { log: createLog(destination), file, flush };
}

/** A logger that keeps secrets out: errors are reduced to name, code, sentence and stack, without their other fields. */
export function createLog(destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      paths: ["authorization", "secret", "token", "password", "api_key", "*.authorization"],
      censor: "[secret]",
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** PostgreSQL's errors carry the row that they are about, clients' errors carry headers: neither belongs in a log. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  return { type: error.name, code, message: error.message, stack: error.stack, cause };
}
