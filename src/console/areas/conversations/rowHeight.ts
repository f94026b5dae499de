import type { Row } from "./model.ts";

const line = 20;

/** About how high a row will be, in px, before it was measured: the nearer, the less the scroll bar jumps. */
export function estimateRow(row: Row | undefined): number {
  if (!row) return 56;
  const edges = (row.isFirst ? 12 : 4) + (row.isLast ? 16 : 4);
  const gutter = row.isFirst ? (row.span.end === null ? 36 : 52) : 0;
  return edges + Math.max(gutter, bodyHeight(row.body));
}

function bodyHeight(body: Row["body"]): number {
  switch (body.kind) {
    case "said":
    case "text":
      return (
        Math.min(200, Math.ceil(body.text.length / 85) + body.text.slice(0, 4_000).split("\n").length) * line
      );
    case "call":
      return body.call.tone === "running" ? 34 : 120;
    case "file":
      return 50;
    case "notice":
      return 34;
    case "error":
    case "raw":
      return 90;
    default:
      return line;
  }
}
