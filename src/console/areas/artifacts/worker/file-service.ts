import { sanitizeJson } from "../../../api/sanitize-json.ts";
import { type Comparison, compareLines } from "../../../lib/diff/compare-lines.ts";
import { counted } from "../../../lib/words.ts";
import type { Work } from "../../../lib/workers/serve.ts";
import { decode, readLines, readTable, type Sheet } from "./tables.ts";

/** A cell longer than this is sent cut, with how much is missing. */
const mostOfCell = 4_000;
const mostRowsAtOnce = 1_000;

/** Bytes to open in one of the forms of a file. */
interface OpenInput {
  readonly form: FileForm;
  readonly bytes: ArrayBuffer;
}

/** Two texts to line up. */
interface CompareInput {
  readonly a: ArrayBuffer;
  readonly b: ArrayBuffer;
  /** Laid out as JSON with sorted keys first, so that only what is said counts. */
  readonly asJson: boolean;
}

/** Rows of a sheet of an opened file, from 0. */
interface RowsInput {
  readonly file: number;
  readonly sheet: number;
  readonly from: number;
  readonly count: number;
}

/**
 * The worker's side of looking at files: keeps what was read, and sends the rows that are looked at.
 * @param readSheets loads the reader of workbooks with the first of them
 */
export function fileMethods(readSheets: (bytes: ArrayBuffer) => Promise<readonly Sheet[]>) {
  const open = new Map<number, readonly Sheet[]>();

  function opened(sheets: readonly Sheet[], comparison: Comparison | null) {
    const file = open.size + 1;
    open.set(file, sheets);
    return { file, sheets: sheets.map(({ facts }) => facts), comparison };
  }

  return {
    async open({ form, bytes }: OpenInput) {
      if (form === "workbook") return opened(await readSheets(bytes), null);
      return opened([form === "table" ? readTable(decode(bytes)) : readLines(decode(bytes))], null);
    },
    /** The first sheet holds the lines of A, the second those of B. */
    compare({ a, b, asJson }: CompareInput, { transfer }: Work) {
      const sheets = [a, b].map((bytes) => readLines(asJson ? laidOut(decode(bytes)) : decode(bytes)));
      const [left = [], right = []] = sheets.map(({ rows }) => rows.map(([line = ""]) => line));
      const comparison = compareLines(left, right, { even: false });
      transfer.push(comparison.rows.buffer, comparison.kinds.buffer);
      return opened(sheets, comparison);
    },
    rows({ file, sheet, from, count }: RowsInput): readonly (readonly string[])[] {
      const rows = open.get(file)?.[sheet]?.rows ?? [];
      return rows.slice(from, from + Math.min(count, mostRowsAtOnce)).map(shortened);
    },
  };
}

const shortened = (row: readonly string[]): readonly string[] =>
  row.some((cell) => cell.length > mostOfCell)
    ? row.map((cell) =>
        cell.length > mostOfCell
          ? `${cell.slice(0, mostOfCell)}… (${counted(cell.length - mostOfCell, "more character")})`
          : cell,
      )
    : row;

/** JSON with sorted keys, one value a line; a text that is none, as it is. */
function laidOut(text: string): string {
  try {
    const value = sanitizeJson(JSON.parse(text.replace(/^\uFEFF/, "")), text);
    return JSON.stringify(sorted(value), null, 2);
  } catch {
    return text;
  }
}

/** `sanitizeJson` has bounded how deep a value nests. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** How bytes are read: as lines, as a table with a head (CSV, TSV), or as a workbook (XLSX). */
export type FileForm = "lines" | "table" | "workbook";
