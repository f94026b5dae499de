import { plainText } from "./ansi.ts";
import { parseTime } from "./iso-time.ts";

export type Level = "plain" | "warning" | "error";

/** One line of a run's log, taken apart as far as it has the usual form; any other text is kept whole. */
export interface LogLine {
  /** ms since 1970, or null where the line begins with no time. */
  readonly at: number | null;
  /** The node's name, or null where the line names none. */
  readonly node: string | null;
  /** What is left, with its colour codes. */
  readonly text: string;
  readonly level: Level;
}

const form = /^(\d{4}-\d\d-\d\dT[\d:.,]+(?:Z|[+-]\d\d:?\d\d))(?:\s*\[([^\]\n]{1,200})\])?\s?/;
const errorWords = /\b(error|failed|failure|exception|fatal|traceback|panic)\b/i;
const warningWords = /\b(warn|warning|retry|retrying|skipped|deprecated|timed out)\b/i;
/** How far into a line its level is looked for: a line may be megabytes long. */
const levelWindow = 300;

/**
 * Takes one line of `log` (§2.2) apart. Written as `2026-11-20T08:15:04.123Z [node] text` by our service; a line of
 * another form comes back whole, with nulls. A carriage return shows what was written last, as a terminal does.
 */
export function readLine(raw: string): LogLine {
  const folded = raw.includes("\r") ? lastWritten(raw) : raw;
  const match = form.exec(folded);
  const at = match?.[1] ? parseTime(match[1]) : null;
  // Brackets without a time before them are part of the text: "[1/3] reading".
  if (!match || at === null) {
    return { at: null, node: null, text: folded, level: levelOf(folded) };
  }
  const text = folded.slice(match[0].length);
  return { at, node: match[2] ?? null, text, level: levelOf(text) };
}

function levelOf(text: string): Level {
  const start = plainText(text.slice(0, levelWindow));
  if (errorWords.test(start)) return "error";
  return warningWords.test(start) ? "warning" : "plain";
}

function lastWritten(raw: string): string {
  const parts = raw.split("\r").filter((part) => part !== "");
  return parts.at(-1) ?? "";
}
