import { eachOnce, type IdOf, type Rows } from "./paged.ts";

/** Reads the page that begins at a cursor; null: the first. */
export type ReadPage<R> = (cursor: string | null) => Promise<Rows<R>>;

/** So many pages without anything new, one after the other, are enough at once. */
const mostBarren = 3;

/**
 * Reads page after page, for as long as its caller goes on. Comes to an end with any service: one that gives the same
 * cursor twice, or some pages in a row with nothing but what there was, has no more. After some pages in a row without
 * rows it stops as well, with their cursor: what is filtered may look through much before it finds something.
 * @param after what was read before, of which nothing is given again; null: from the first page on
 * @returns what is new in each page, with the cursor after it
 */
export async function* walkPages<R>(
  read: ReadPage<R>,
  idOf: IdOf<R>,
  after: Rows<R> | null = null,
): AsyncGenerator<Rows<R>, void> {
  if (after?.cursor === null) return;
  const ids = new Set(after?.rows.map(idOf));
  const asked = new Set<string>();
  let cursor = after?.cursor ?? null;
  let barren = 0;
  do {
    if (cursor !== null) asked.add(cursor);
    const page: Rows<R> = await read(cursor);
    const rows = eachOnce(page.rows, idOf).filter((row) => !ids.has(idOf(row)));
    for (const row of rows) ids.add(idOf(row));
    barren = rows.length === 0 ? barren + 1 : 0;
    const isStuck = barren === mostBarren && page.rows.length > 0;
    const isOver = page.cursor === null || asked.has(page.cursor) || isStuck;
    cursor = isOver ? null : page.cursor;
    yield { rows, cursor };
  } while (cursor !== null && barren < mostBarren);
}

/** The next page of a list that brings something new; without rows where there is none, or none was found yet. */
export async function nextPage<R>(list: Rows<R>, read: ReadPage<R>, idOf: IdOf<R>): Promise<Rows<R>> {
  let last: Rows<R> = { rows: [], cursor: null };
  for await (const page of walkPages(read, idOf, list)) {
    if (page.rows.length > 0) return page;
    last = page;
  }
  return last;
}

/** A list with the page that follows it; what it has already is not added again. */
export function append<R>(list: Rows<R>, page: Rows<R>, idOf: IdOf<R>): Rows<R> {
  const held = new Set(list.rows.map(idOf));
  const rows = page.rows.filter((row) => !held.has(idOf(row)));
  return page.rows.length > 0 && rows.length === 0
    ? list
    : { rows: [...list.rows, ...rows], cursor: page.cursor };
}

/** So many pages are read in search of what was held before. */
const mostBetween = 10;

/**
 * Reads a list again as far as it was read before.
 * @param held as it was before the first page was laid over it
 * @param first its first page, read just now
 */
export async function refetchPages<R>(
  held: Rows<R>,
  first: Rows<R>,
  read: ReadPage<R>,
  idOf: IdOf<R>,
): Promise<Rows<R>> {
  const missing = new Set(held.rows.map(idOf));
  const meet = (rows: readonly R[]) => rows.filter((row) => missing.delete(idOf(row))).length > 0;
  let list: Rows<R> = { ...first, rows: eachOnce(first.rows, idOf) };
  let hasMet = meet(list.rows);
  let between = 0;
  if (missing.size === 0) return list;
  for await (const page of walkPages(read, idOf, list)) {
    const meets = meet(page.rows);
    // What is still missing is gone: the page lies behind all that was held.
    if (hasMet && !meets && page.rows.length > 0) return list;
    list = { rows: [...list.rows, ...page.rows], cursor: page.cursor };
    between = meets ? 0 : between + 1;
    hasMet ||= meets;
    if (missing.size === 0 || between === mostBetween) return list;
  }
  return list;
}
