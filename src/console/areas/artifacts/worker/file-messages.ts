import type { Comparison } from "../../../lib/diff/compare-lines.ts";

/** How bytes are read: as lines, as a table with a head (CSV, TSV), or as a workbook (XLSX). */
export type FileForm = "lines" | "table" | "workbook";

/** One table of a file; lines are a table of one column without a head. */
export interface SheetFacts {
  readonly name: string;
  /** Rows below the head. */
  readonly rows: number;
  readonly header: readonly string[];
  /** The longest cell of each column among those that were looked at, in characters. */
  readonly widths: readonly number[];
  /** Columns of figures, which stand at the right. */
  readonly isFigure: readonly boolean[];
  /** The file has more rows or columns than are kept. */
  readonly isCut: boolean;
}

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
