import { type Comparison, compareLines } from "../../../../lib/diff/compare-lines.ts";
import type { Work } from "../../../../lib/workers/serve.ts";

export type Side = "a" | "b";

/** Lines of one side: what is there stays up to line `from`, then these follow. */
interface Lines {
  readonly side: Side;
  readonly from: number;
  readonly lines: readonly string[];
}

/** How two logs are compared; `ids` stand for themselves wherever they are written. */
export interface CompareOptions {
  readonly even: boolean;
  readonly ids: readonly string[];
}

/** The worker's side of comparing two logs: keeps the lines that it was sent, and lines them up when asked. */
export function compareMethods() {
  const kept = { a: [] as string[], b: [] as string[] };
  return {
    add({ side, from, lines }: Lines): void {
      const mine = kept[side];
      mine.length = Math.min(mine.length, from);
      for (const line of lines) mine.push(line);
    },
    compare(options: CompareOptions, { transfer }: Work): Comparison {
      const comparison = compareLines(kept.a, kept.b, options);
      transfer.push(comparison.rows.buffer, comparison.kinds.buffer);
      return comparison;
    },
  };
}
