import { isPlain } from "../../../lib/markdown/links.ts";

/** The ways in which a value can be shown; the first is the one that it begins with. */
export type ValueViewName = "text" | "markdown" | "tree" | "table";

export const viewTitles: Readonly<Record<ValueViewName, string>> = {
  text: "Text",
  markdown: "Markdown",
  tree: "JSON",
  table: "Table",
};

/** A text that is JSON is read only up to this length: reading holds up the page. */
const longestRead = 1_000_000;

/** A value as it can be shown: a text that is JSON is that JSON too. */
export interface Viewable {
  readonly views: readonly ValueViewName[];
  /** What tree and table show. */
  readonly json: unknown;
}

/** How a value can be looked at (§2.2 says nothing of its form: any JSON). */
export function viewsOf(value: unknown): Viewable {
  if (typeof value !== "string") return { views: jsonViews(value), json: value };
  const json = readJson(value);
  if (json !== undefined) return { views: [...jsonViews(json), "text"], json };
  return { views: isPlain(value) ? ["text"] : ["markdown", "text"], json: undefined };
}

function jsonViews(value: unknown): readonly ValueViewName[] {
  return isTable(value) ? ["table", "tree"] : ["tree"];
}

function readJson(text: string): object | undefined {
  if (text.length > longestRead || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many rows are looked at to tell what a list is. */
const looked = 50;

/** A list of records, of which most share their fields. */
export function isTable(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const rows = value.slice(0, looked);
  if (!rows.every((row) => row !== null && typeof row === "object" && !Array.isArray(row))) return false;
  const columns = columnsOf(rows);
  const cells = rows.reduce((sum, row) => sum + Object.keys(row).length, 0);
  return columns.length > 0 && cells >= (columns.length * rows.length) / 2;
}

/** The fields of the first rows, in the order in which they come. */
export function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return [...new Set(rows.slice(0, looked).flatMap((row) => Object.keys(row)))];
}
