import { plainText } from "../../../lib/ansi.ts";
import { parseTime } from "../../../lib/time/format.ts";

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
/** As our service says it of a node on a branch that was not taken: nothing to be warned of. */
const notTaken = /^(?:\d+: )*skipped$/;
/** Hardly any line has it, so that few are looked at closely. */
const anyTry = /tr(?:y|ies)/i;
/** As our service says it of a node that has retries: within `each` with the number of the item before it. */
const ownRetry = /^(?:\d+: )*tries again in\b/i;
/** As others say that the same is tried once more; "failed after 3 retries" does not. */
const nextTry =
  /\b(?:(?:re)?try(?:ing)?(?: again)? in \d|will (?:retry|try again)|retry(?:ing)? \d+ (?:of|\/) ?\d|retrying(?:…|\.{3})?$)/i;
/** As our service says it of a node that waits: within `each` with the number of the item before it. */
const nodeWaits = /^(?:\d+: )*(waiting for a free place(?:, [^\n]{1,60})?)$/;
/** How far into a line its level is looked for: a line may be megabytes long. */
const levelWindow = 300;

/**
 * Takes one line of `log` (§2.2) apart. Written as `2026-11-20T08:15:04.123Z [node] text` by our service; a line of
 * another form comes back whole, with nulls. A carriage return shows what was written last, as a terminal does.
 */
export function readLine(raw: string): LogLine {
  const folded = raw.includes("\r") ? eachLine(raw, lastWritten) : raw;
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
  if (announcesRetry(start)) return "warning";
  if (errorWords.test(start)) return "error";
  return warningWords.test(start) && !notTaken.test(start) ? "warning" : "plain";
}

/**
 * Whether a line says that what went wrong is tried once more: whatever it was, it has not failed yet. An error that is
 * named after the announcement, as in `retry 3 of 3 failed`, is the one that counts.
 */
export function announcesRetry(text: string): boolean {
  if (!anyTry.test(text)) return false;
  if (ownRetry.test(text)) return true;
  const said = nextTry.exec(text);
  return said !== null && !errorWords.test(text.slice(said.index));
}

/** Where a line is written over. Before a line feed a carriage return is the half of a line's end. */
export const overwriting = /\r(?![\r\n])/;

/** What becomes of a text whose lines are changed one by one: what is written over one leaves the others. */
export const eachLine = (text: string, change: (line: string) => string): string =>
  text.includes("\n")
    ? text
        .split(/(?<=\n)/)
        .map(change)
        .join("")
    : change(text);

const lastWritten = (line: string): string =>
  line
    .split(overwriting)
    .filter((part) => part !== "")
    .at(-1) ?? "";

/** How many of the first lines may tell: a run that has not begun has hardly any. */
export const waitingLines = 20;

/** Whether a line is the service's own word that the run waits, and no node's. */
export function isWaiting({ node, text }: LogLine): boolean {
  return node === "run" && text.startsWith("waiting: ");
}

/**
 * What a node waits for, as the service says it in a line of that node.
 * @returns null for any other line
 */
export function placeWait(text: string): string | null {
  return nodeWaits.exec(text)?.[1] ?? null;
}

/**
 * Why a run that has not begun still waits, as the service says it in the run's log.
 * @param lines the first ones, `waitingLines` are enough
 * @returns the newest reason as a sentence, null where no line gives one
 */
export function waitingReason(lines: readonly string[]): string | null {
  const said = lines.map(readLine).findLast(isWaiting);
  if (said === undefined) return null;
  return `${said.text.charAt(0).toUpperCase()}${said.text.slice(1)}.`;
}
