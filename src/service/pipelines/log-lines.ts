import { storableText } from "../store/json.ts";

const maxLineLength = 8_000;

/**
 * Log lines of one node event: `2026-11-20T08:15:04.123Z [node] text`. A text with line breaks becomes several lines, a
 * very long line is cut and says so.
 */
export function logLines(at: Date, node: string, text: string): string[] {
  const stamp = at.toISOString();
  return storableText(text)
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const shown =
        line.length > maxLineLength ? `${line.slice(0, maxLineLength)}… (${line.length} characters)` : line;
      return `${stamp} [${node}] ${shown}`;
    });
}
