import { join } from "node:path";
import pino, { type DestinationStream, type Logger } from "pino";
import type { Config } from "../config.ts";
import { makeDataDirectory, warnOfOpenDirectory } from "../data-directory.ts";

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
  if (file !== null) makeDataDirectory(config.dataDirectory);
  let flushUntil = Number.POSITIVE_INFINITY;
  const retryEAGAIN = () => performance.now() < flushUntil;
  const destination = pino.destination({
    ...(file === null ? { fd: 2, retryEAGAIN } : { dest: file, mode: 0o600 }),
    ...{ sync: false, maxLength: maxKept },
  });
  // The next line tries again: a disk that is full has room one day.
  let hasRoom = true;
  destination.on("write", () => {
    hasRoom = true;
  });
  destination.on("error", (error: unknown) => {
    if (isFull(error)) hasRoom = false;
    else if (codeOf(error) !== "EPIPE") throw error;
  });
  let isOver = false;
  const lines = gathered((text) => isOver || destination.write(text));
  const flush = () => {
    // Nothing else happens meanwhile, the end of the process neither.
    flushUntil = performance.now() + maxFlushMs;
    // What cannot be written at the end is lost, and no reason to fail.
    destination.once("error", () => undefined);
    try {
      lines.flush();
      // It would be tried until there is room.
      if (hasRoom) return destination.flushSync();
    } catch {
      // Not open yet, or already gone: there is nothing to flush.
      if (retryEAGAIN()) return;
    }
    // Nobody reads it any more, or its disk is full. It would be tried again at the very end.
    isOver = true;
    destination.destroy();
  };
  const log = createLog(lines);
  warnOfOpenDirectory(config.dataDirectory, log);
  return { log, file, flush };
}

/** Of what cannot be written now so much is kept for later, in bytes. */
const maxKept = 16 * 1024 * 1024;

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);
const isFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes(String(codeOf(error)));

/** For so long a pipe that is full is waited for at the end, in milliseconds. */
const maxFlushMs = 1_000;

/** Under load many lines share a write; a line waits for others a tenth of a second at most. */
const maxBuffered = 32 * 1024;
const maxDelayMs = 100;

function gathered(write: (text: string) => unknown) {
  let text = "";
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (text !== "") write(text);
    text = "";
  };
  return {
    flush,
    write(line: string) {
      text += line;
      if (text.length >= maxBuffered) flush();
      else timer ??= setTimeout(flush, maxDelayMs).unref();
    },
  };
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
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = codeOf(error);
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  return { type: error.name, code, message: error.message, stack: error.stack, cause };
}
