import { storableText } from "./json.ts";

/**
 * How logs lie in `log_lines`: a row has lines that were written together, with breaks between them, and `seq` is the number
 * of the last. A row of before migration 0028 has one line, which is the same.
 */

/** Lines of one row at most: whoever wants a few reads no more beside them. */
export const mostLines = 500;
/** Characters of one row, unless a single line has more. */
const mostLength = 32_000;

/** Lines of one write, as they are stored. */
export interface LogWrite {
  readonly count: number;
  /** Of the lines, in UTF-8. */
  readonly bytes: number;
  readonly rows: readonly { readonly last: number; readonly text: string }[];
}

/**
 * @param given a break within a line becomes a space
 * @returns rows with the number of their last line, the first of the write being 1
 */
export function logWrite(given: readonly string[]): LogWrite {
  const lines = given.map((line) => storableText(line).replaceAll(/\r\n|\r|\n/g, " "));
  const rows: { last: number; text: string }[] = [];
  let begun = 0;
  let length = 0;
  let bytes = 0;
  const close = (last: number) => {
    if (last > begun) rows.push({ last, text: lines.slice(begun, last).join("\n") });
    [begun, length] = [last, 0];
  };
  for (const [index, line] of lines.entries()) {
    if (index - begun === mostLines || length + line.length > mostLength) close(index);
    length += line.length;
    bytes += Buffer.byteLength(line);
  }
  close(lines.length);
  return { count: lines.length, bytes, rows };
}

/** The date that lines of the engine and of flows begin with: of the same length always, so that texts are compared. */
const stampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

/** @returns the date that a line begins with, ISO 8601; null where it has none */
export function stampOf(line: string | null | undefined): string | null {
  return stampForm.exec(line ?? "")?.[0] ?? null;
}

/** A line of a log with its number, from 1. */
export interface LogLine {
  readonly seq: number;
  readonly text: string;
}

/**
 * Lines of which none is dated before the one above it: clocks may be set back, and two processes may differ by a little.
 * @param last the date of the line before them
 */
export function inOrder(lines: readonly string[], last: string | null): string[] {
  let before = last ?? "";
  return lines.map((line) => {
    const stamp = stampOf(line);
    if (stamp === null) return line;
    if (stamp < before) return before + line.slice(stamp.length);
    before = stamp;
    return line;
  });
}

/** The lines of one row, in order. */
export function linesOf({ seq, text }: LogLine): LogLine[] {
  const lines = text.split("\n");
  return lines.map((line, index) => ({ seq: seq - lines.length + 1 + index, text: line }));
}
