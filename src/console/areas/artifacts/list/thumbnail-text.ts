import type { Kind } from "../kind.ts";
import { readTable } from "../worker/tables.ts";

/** What a thumbnail draws of a text. */
export type ThumbnailText =
  | {
      readonly kind: "lines";
      readonly isCode: boolean;
      readonly lines: readonly { readonly text: string; readonly isTitle: boolean }[];
    }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

const mostLines = 14;
const mostColumns = 4;
const mostOfLine = 240;

/** The beginning of a text in the form that it has. Only letters: nothing of it is ever taken for markup. Null for none. */
export function thumbnailTextOf(text: string, kind: Kind): ThumbnailText | null {
  if (kind === "csv") return tableOf(text);
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.slice(0, mostOfLine));
  if (kind === "json" || kind === "code") {
    const shown = (kind === "json" ? laidOut(text) : lines).slice(0, mostLines);
    return linesOf(
      shown.map((line) => ({ text: line, isTitle: false })),
      true,
    );
  }
  const source = kind === "html" ? wordsOfPage(text) : lines;
  const words = source
    .filter((line) => line.trim() !== "" && !(kind === "markdown" && isOnlyMarks(line)))
    .slice(0, mostLines)
    .map((line, at) => ({
      text: plain(line),
      isTitle: /^#{1,3} /.test(line) || (kind === "html" && at === 0),
    }));
  return linesOf(words, false);
}

function linesOf(
  lines: Extract<ThumbnailText, { kind: "lines" }>["lines"],
  isCode: boolean,
): ThumbnailText | null {
  return lines.some((line) => line.text.trim() !== "") ? { kind: "lines", isCode, lines } : null;
}

/** By the separator that the preview finds, too. */
function tableOf(text: string): ThumbnailText | null {
  const { facts, rows: below } = readTable(text);
  const rows = [facts.header, ...below]
    .filter((row) => row.some((cell) => cell.trim() !== ""))
    .slice(0, mostLines)
    .map((row) => row.slice(0, mostColumns).map((cell) => cell.slice(0, mostOfLine)));
  return rows.length === 0 ? null : { kind: "table", rows };
}

function laidOut(text: string): readonly string[] {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).split("\n");
  } catch {
    // Only its beginning was read, or it is none.
    return text.split("\n").map((line) => line.slice(0, mostOfLine));
  }
}

/** The line below a table's head, and the edges of a block of code. */
const isOnlyMarks = (line: string): boolean =>
  (/^[\s:|-]+$/.test(line) && line.includes("-") && line.includes("|")) || /^\s*(```|~~~)/.test(line);

/** A line of markdown without its marks; the cells of a table's row with room between them. */
const plain = (line: string): string =>
  line
    .replace(/^\s*\|(.*)\|\s*$/, (_, cells: string) =>
      cells
        .split("|")
        .map((cell) => cell.trim())
        .join(" · "),
    )
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+[.)])\s+/, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, "");

/** The words of a page, as far as they can be told without reading its markup. */
function wordsOfPage(html: string): readonly string[] {
  return html
    .replaceAll(/<(script|style|head|title)\b[\s\S]*?(<\/\1\s*>|$)/gi, "")
    .replaceAll(/<!--[\s\S]*?(-->|$)/g, "")
    .replaceAll(/<\/?(p|div|h\d|li|tr|br|section|article|ul|ol|table)\b[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*(>|$)/g, " ")
    .replaceAll(/&(nbsp|amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? " ")
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim());
}

const entities: Readonly<Record<string, string>> = { nbsp: " ", amp: "&", lt: "<", gt: ">", quot: '"' };
