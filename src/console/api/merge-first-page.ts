import { eachOnce, type IdOf, type Rows } from "./paged.ts";

/**
 * Lays the first page of a list, read just now, over what was read of it before.
 * @returns the list: nothing of it is lost and nothing is in it twice. `isSure` says that it is as the service has it
 *   as far as the first page tells; otherwise something was deleted, has moved, or came between, and only reading all
 *   of it again (`refetchPages` of pages.ts) tells what
 */
export function mergeFirstPage<R>(
  held: Rows<R>,
  fresh: Rows<R>,
  idOf: IdOf<R>,
): { readonly list: Rows<R>; readonly isSure: boolean } {
  const first = eachOnce(fresh.rows, idOf);
  if (fresh.cursor === null) return { list: { rows: first, cursor: null }, isSure: true };
  const ids = first.map(idOf);
  const isFresh = new Set(ids);
  const before = held.rows.map(idOf);
  const isHeld = new Set(before);
  const rest = held.rows.filter((row) => !isFresh.has(idOf(row)));
  // A page without rows tells nothing.
  if (ids.length === 0) return { list: held, isSure: true };
  const begin = ids.findIndex((id) => isHeld.has(id));
  const isSure = begin >= 0 && before.every((id, at) => begin + at >= ids.length || id === ids[begin + at]);
  // Where both end with the same row, only the older of them may know that nothing follows it.
  const isFurther = rest.length === 0 && ids.at(-1) !== before.at(-1);
  const cursor = isFurther ? fresh.cursor : held.cursor;
  return { list: { rows: [...first, ...rest], cursor }, isSure };
}
