import type { LineMarks } from "../../../lib/code-editor/line-marks.ts";
import { mergeText, type TextChunk } from "../../../lib/merge/merge-text.ts";

type Text = string | null;

/** How the lines of a draft's text came about. `theirs`: what another person saved since; null: nobody did. */
export function chunksOfMine(base: Text, mine: Text, theirs: Text | undefined): readonly TextChunk[] {
  return mergeText(base, theirs === undefined ? base : theirs, mine, String).chunks;
}

/** The lines of a draft's text to mark; of lines that were only taken out, the one after the gap. */
export function marksOf(chunks: readonly TextChunk[]): LineMarks {
  const edited: number[] = [];
  const also: number[] = [];
  let line = 1;
  for (const chunk of chunks) {
    const lines = chunk.kind === "conflict" ? chunk.mine : chunk.kind === "theirs" ? chunk.base : chunk.lines;
    const marks = chunk.kind === "conflict" ? also : edited;
    if (chunk.kind === "conflict" || chunk.kind === "mine" || chunk.kind === "both") {
      for (let at = 0; at < Math.max(1, lines.length); at += 1) marks.push(line + at);
    }
    line += lines.length;
  }
  const last = Math.max(1, line - 1);
  const inside = (lines: readonly number[]) => [...new Set(lines.map((one) => Math.min(one, last)))];
  return { edited: inside(edited), also: inside(also) };
}
