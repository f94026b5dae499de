import { tame } from "../../../api/tame.ts";
import { type Comparison, compareLines } from "../../../lib/diff/compare-lines.ts";
import { decode, readLines, readTable, type Sheet, type SheetFacts } from "./tables.ts";
import { ZipError } from "./zip.ts";

/** A cell longer than this is sent cut, with how much is missing. */
const mostOfCell = 4_000;
const mostRowsAtOnce = 1_000;

/**
 * The worker's side of looking at files: keeps what was read, and sends the rows that are looked at.
 * @param readSheets loads the reader of workbooks with the first of them
 */
export function createFileService(
  say: (message: FromFiles, transfer: Transferable[]) => void,
  readSheets: (bytes: ArrayBuffer) => Promise<readonly Sheet[]>,
) {
  const open = new Map<number, readonly Sheet[]>();

  function opened(id: number, sheets: readonly Sheet[]): void {
    open.set(id, sheets);
    say({ type: "opened", id, sheets: sheets.map(({ facts }) => facts), comparison: null }, []);
  }

  function failed(id: number, error: unknown): void {
    say({ type: "failed", id, why: troubleOf(error) }, []);
  }

  return async (message: ToFiles): Promise<void> => {
    switch (message.type) {
      case "open":
        try {
          const { id, form, bytes } = message;
          if (form === "workbook") opened(id, await readSheets(bytes));
          else opened(id, [form === "table" ? readTable(decode(bytes)) : readLines(decode(bytes))]);
        } catch (error) {
          failed(message.id, error);
        }
        return;
      case "compare":
        try {
          const { id, asJson } = message;
          const sheets = [message.a, message.b].map((bytes) =>
            readLines(asJson ? laidOut(decode(bytes)) : decode(bytes)),
          );
          const [a = [], b = []] = sheets.map(({ rows }) => rows.map(([line = ""]) => line));
          const comparison = compareLines(a, b, { even: false });
          open.set(id, sheets);
          say({ type: "opened", id, sheets: sheets.map(({ facts }) => facts), comparison }, [
            comparison.rows.buffer,
            comparison.kinds.buffer,
          ]);
        } catch (error) {
          failed(message.id, error);
        }
        return;
      case "rows": {
        const { id, ask, sheet, from, count } = message;
        const rows = open.get(id)?.[sheet]?.rows ?? [];
        say(
          {
            type: "rows",
            ask,
            rows: rows.slice(from, from + Math.min(count, mostRowsAtOnce)).map(shortened),
          },
          [],
        );
        return;
      }
      case "close":
        open.delete(message.id);
    }
  };
}

const shortened = (row: readonly string[]): readonly string[] =>
  row.some((cell) => cell.length > mostOfCell)
    ? row.map((cell) =>
        cell.length > mostOfCell
          ? `${cell.slice(0, mostOfCell)}… (${(cell.length - mostOfCell).toLocaleString("en-GB")} more characters)`
          : cell,
      )
    : row;

/** JSON with sorted keys, one value a line; a text that is none, as it is. */
function laidOut(text: string): string {
  try {
    const value = tame(JSON.parse(text.replace(/^\uFEFF/, "")), text);
    return JSON.stringify(sorted(value), null, 2);
  } catch {
    return text;
  }
}

/** `tame` has bounded how deep a value nests. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function troubleOf(error: unknown): FileTrouble {
  if (error instanceof ZipError) return error.kind;
  return error instanceof RangeError ? "too big" : "broken";
}

/** How bytes are read: as lines, as a table with a head (CSV, TSV), or as a workbook (XLSX). */
export type FileForm = "lines" | "table" | "workbook";

/** Why a file cannot be shown. */
export type FileTrouble = "broken" | "protected" | "too big" | "no reader";

/** Two texts lined up; the first sheet holds the lines of A, the second those of B. */
export type LinedUp = Comparison;

/** From the page to the worker. `bytes` are handed over. */
export type ToFiles =
  | { readonly type: "open"; readonly id: number; readonly form: FileForm; readonly bytes: ArrayBuffer }
  | {
      readonly type: "compare";
      readonly id: number;
      readonly a: ArrayBuffer;
      readonly b: ArrayBuffer;
      /** Laid out as JSON with sorted keys first, so that only what is said counts. */
      readonly asJson: boolean;
    }
  | {
      readonly type: "rows";
      readonly id: number;
      readonly ask: number;
      readonly sheet: number;
      readonly from: number;
      readonly count: number;
    }
  | { readonly type: "close"; readonly id: number };

/** From the worker to the page. */
export type FromFiles =
  | {
      readonly type: "opened";
      readonly id: number;
      readonly sheets: readonly SheetFacts[];
      readonly comparison: LinedUp | null;
    }
  | { readonly type: "failed"; readonly id: number; readonly why: FileTrouble }
  | { readonly type: "rows"; readonly ask: number; readonly rows: readonly (readonly string[])[] };
