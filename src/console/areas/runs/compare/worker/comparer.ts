import { compareLines } from "../../../../lib/diff/compare-lines.ts";
import type { FromComparer, ToComparer } from "./compare-messages.ts";

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
