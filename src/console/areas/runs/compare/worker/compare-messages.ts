import type { Comparison } from "../../../../lib/diff/compare-lines.ts";

export type Side = "a" | "b";

/** From the page to the worker. */
export type ToComparer =
  /** Lines of one side: what it has is kept up to line `from`, then these follow. */
  | { readonly type: "lines"; readonly side: Side; readonly from: number; readonly lines: readonly string[] }
  | {
      readonly type: "compare";
      readonly id: number;
      readonly even: boolean;
      readonly ids: readonly string[];
    };

export interface FromComparer {
  readonly id: number;
  readonly comparison: Comparison;
}
