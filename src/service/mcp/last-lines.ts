import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { stripVTControlCharacters } from "node:util";
import { storableText } from "../store/json.ts";

/** A value that must not be shown, and what is shown in its place: `[name]`. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** What a command wrote to its standard error: its words, so data, and never for a prompt. */
export interface LastLines {
  /**
   * Waits for the end of what it writes, a second at most.
   * @returns at most 20 lines and 2,000 characters, without secrets; "" where it wrote nothing
   */
  read(): Promise<string>;
  /** From here on nothing is kept: a command that works writes of the calls of many people. */
  stop(): void;
}

const maxLines = 20;
const maxCharacters = 2_000;
/** Of one line, in characters. A longer one is left out whole: its end might be the beginning of a secret. */
const maxLineLength = 4_096;
/** Of one line as it is shown. */
const shownOfLine = 1_000;
/** A second, in milliseconds. What a command starts may hold its stream open. */
const maxWaitMs = 1_000;
/** Shorter ones are settings such as `1` and `on`, which stand everywhere. */
const shortestSecret = 4;

/** Keeps the last lines of a stream of text. */
export function lastLines(stream: Readable, secrets: readonly Secret[]): LastLines {
  let lines: string[] = [];
  let line = "";
  let isStopped = false;
  const endLine = () => {
    const whole = line.length > maxLineLength ? "(a line too long to be shown)" : line;
    if (whole.trim() !== "") lines = [...lines.slice(1 - maxLines), whole];
    line = "";
  };
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    if (isStopped) return;
    for (const [at, piece] of chunk.split(/\r\n|\r|\n/).entries()) {
      if (at > 0) endLine();
      if (line.length <= maxLineLength) line += piece.slice(0, maxLineLength + 1);
    }
  });
  // A stream that breaks has said all that it will say.
  stream.on("error", () => {});
  return {
    async read() {
      const limit = AbortSignal.timeout(maxWaitMs);
      await finished(stream, { writable: false, signal: limit }).catch(() => {});
      endLine();
      return shown(lines, secrets);
    },
    stop() {
      isStopped = true;
      lines = [];
      line = "";
    },
  };
}

function shown(lines: readonly string[], secrets: readonly Secret[]): string {
  const hidden = secrets.flatMap(spellings).sort((a, b) => b.value.length - a.value.length);
  const kept = lines.map((line) => {
    let clean = plain(line);
    for (const { name, value } of hidden) clean = clean.replaceAll(value, () => `[${name}]`);
    return clean.length > shownOfLine ? `${clean.slice(0, shownOfLine)}…` : clean.trimEnd();
  });
  while (kept.join("\n").length > maxCharacters) kept.shift();
  return kept.join("\n");
}

/** Without colours and control characters: it is stored, and shown to people. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[^\P{C}\n\t]/gu, "");
}

/** The ways in which a program may print a value: line by line, quoted, in an address, encoded. */
function spellings({ name, value }: Secret): Secret[] {
  const whole = [value, ...value.split(/\r\n|\r|\n/).map((line) => plain(line).trim())];
  const ways = whole.flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(storableText(text)),
    ...(["base64", "base64url"] as const).map((as) => Buffer.from(text).toString(as).replaceAll("=", "")),
  ]);
  return [...new Set(ways)]
    .filter((way) => way.length >= shortestSecret)
    .map((way) => ({ name, value: way }));
}
