import { type Comparison, compareLines } from "../../../../lib/diff/compare-lines.ts";

/** The worker's side of comparing two logs: keeps the lines that it was sent, and lines them up when asked. */
export function makeComparer(say: (message: FromComparer, transfer: Transferable[]) => void) {
  const lines = { a: [] as string[], b: [] as string[] };
  return (message: ToComparer): void => {
    if (message.type === "lines") {
      const side = lines[message.side];
      side.length = Math.min(side.length, message.from);
      for (const line of message.lines) side.push(line);
      return;
    }
    const comparison = compareLines(lines.a, lines.b, message);
    say({ id: message.id, comparison }, [comparison.rows.buffer, comparison.kinds.buffer]);
  };
}

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
