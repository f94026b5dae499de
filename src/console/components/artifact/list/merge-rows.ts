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
  const isByName = order === "name_asc" || order === "name_desc";
  // How a service sorts names is its own affair: of those only the order in which they came is known.
  const place = last ? older.findIndex((row) => idOf(row) === idOf(last)) : -1;
  const passed = new Set(isByName ? older.slice(0, Math.max(0, place)).map(idOf) : []);
  const end = isByName ? null : (last?.created_at ?? null);
  const isBefore = (row: ArtifactIn): boolean => {
    if (isByName) return passed.has(idOf(row));
    const at = row.created_at ?? null;
    if (at === null || end === null) return false;
    return order === "newest" ? at > end : at < end;
  };
  const held = new Set(rows.map(idOf));
  return [...rows, ...eachOnce(older).filter((row) => !held.has(idOf(row)) && !isBefore(row))];
}

const idOf = (row: ArtifactIn): string => `${row.id}\n${row.version_id ?? ""}`;

function eachOnce(rows: readonly ArtifactIn[]): readonly ArtifactIn[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const id = idOf(row);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
