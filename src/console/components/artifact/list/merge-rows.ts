import type { ArtifactIn } from "../../../api/queries/artifacts.ts";
import type { ArtifactOrder } from "./search.ts";

/**
 * The first page, which is read again and again, with the pages that were read after it once. What the first page
 * should hold by its order, and does not hold any more, is gone: it was deleted or moved.
 * @param isWhole the first page is all that there is
 */
export function mergeRows(
  first: readonly ArtifactIn[],
  older: readonly ArtifactIn[],
  order: ArtifactOrder,
  isWhole: boolean,
): readonly ArtifactIn[] {
  const rows = eachOnce(first);
  if (isWhole || older.length === 0) return rows;
  const last = rows.at(-1);
  const end = last ? keyOf(last, order) : null;
  const isDescending = order === "newest" || order === "name_desc";
  const isBefore = (row: ArtifactIn): boolean => {
    const key = keyOf(row, order);
    if (key === null || end === null) return false;
    return isDescending ? key > end : key < end;
  };
  const held = new Set(rows.map(idOf));
  return [...rows, ...eachOnce(older).filter((row) => !held.has(idOf(row)) && !isBefore(row))];
}

const idOf = (row: ArtifactIn): string => `${row.id}\n${row.version_id ?? ""}`;

function keyOf(row: ArtifactIn, order: ArtifactOrder): string | null {
  const isByName = order === "name_asc" || order === "name_desc";
  return (isByName ? row.filename?.toLowerCase() : row.created_at) ?? null;
}

function eachOnce(rows: readonly ArtifactIn[]): readonly ArtifactIn[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const id = idOf(row);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
