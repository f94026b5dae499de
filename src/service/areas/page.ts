import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { ServiceError } from "../service-error.ts";
import { unplanned } from "../store/prepared.ts";

/** Where a page ended: the sort key of its last row, and that row's id. */
export interface PageCursor {
  readonly key: string;
  readonly id: string;
}

/**
 * The opaque cursor of a list. It remembers the list's order, so that a cursor is never read in another one.
 * @param list name of the list and its order, such as `agents:newest`
 */
export function writeCursor(list: string, end: PageCursor): string {
  return Buffer.from(JSON.stringify([list, end.key, end.id])).toString("base64url");
}

/**
 * @param list as given to `writeCursor`
 * @param keyForm what a sort key of this list looks like; it goes into a comparison of the database
 * @throws ServiceError `invalid_cursor` for anything that `writeCursor` did not write for this list
 */
export function readCursor(list: string, cursor: string, keyForm: RegExp): PageCursor {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    throw new ServiceError("invalid_cursor", { param: "cursor" });
  }
  const [of, key, id, ...more] = Array.isArray(parts) ? parts : [];
  const wellFormed =
    of === list &&
    typeof key === "string" &&
    typeof id === "string" &&
    more.length === 0 &&
    keyForm.test(key);
  if (!wellFormed || (key + id).includes("\u0000"))
    throw new ServiceError("invalid_cursor", { param: "cursor" });
  return { key, id };
}

/** A `timestamptz` as text, to the microsecond: a `Date` would lose what keeps rows of one millisecond apart. */
export const timeKeyForm = /^\d{1,18}$/;

/** A time column as the sort key of a cursor: whole microseconds since 1970. */
export function timeKey(column: string): RawBuilder<string> {
  return sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::text`;
}

/** The time that `timeKey` wrote, for a comparison with its column. */
export function keyTime(key: string): RawBuilder<Date> {
  return sql<Date>`(timestamptz 'epoch' + ${key}::bigint * interval '1 microsecond')`;
}

/** By what a list is sorted. */
export interface SortKey {
  readonly column: RawBuilder<unknown>;
  /** What tells rows of the same key apart. */
  readonly id: RawBuilder<unknown>;
  /** `<` where the keys fall, `>` where they rise. */
  readonly than: RawBuilder<unknown>;
  /** The key of a cursor, for a comparison with its column. */
  after(key: string): RawBuilder<unknown>;
}

/**
 * That a row comes behind the end of the page before.
 * @param isUnplanned whether a plan is made without knowing the end, and so once for all pages. Where one index has the rows
 *   in order, it finds the next ones as well; where a dozen are merged, such a plan reads all of them.
 */
export function isBehind(
  { column, id, than, after }: SortKey,
  end: PageCursor,
  isUnplanned: boolean,
): RawBuilder<boolean> {
  const values = [after(end.key), sql`${end.id}`].map((value) => (isUnplanned ? unplanned(value) : value));
  return sql`(${column}, ${id}) ${than} (${sql.join(values)})`;
}

/** One page of rows that were fetched with one more than `size`, and the cursor of the next. */
export function cutPage<T>(
  rows: readonly T[],
  size: number,
  list: string,
  endOf: (row: T) => PageCursor,
): { readonly rows: readonly T[]; readonly next_cursor: string | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const more = rows.length > size && last !== undefined;
  return { rows: shown, next_cursor: more ? writeCursor(list, endOf(last)) : null };
}

/** By what a list is sorted, and what tells rows of the same key apart. */
export interface PageOrder {
  readonly column: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly direction: "asc" | "desc";
}

/** A list by names. @param column a text in an order that does not hang on the server's language */
export const byName = (column: RawBuilder<unknown>, id: RawBuilder<unknown>): PageOrder => ({
  ...{ column, id, direction: "asc" },
});

/** A list whose newest rows come first. @param column a time, of which `timeKey` is the key */
export const newestFirst = (column: RawBuilder<unknown>, id: RawBuilder<unknown>): PageOrder => ({
  ...{ column, id, direction: "desc" },
});

/**
 * One page of what a query finds, and the cursor of the next.
 * @param rows each with its `id`, and with what it is sorted by as `key`
 * @param list as given to `writeCursor`
 * @throws ServiceError `invalid_cursor`
 */
export async function fetchPage<DB, TB extends keyof DB, O extends PageCursor>(
  rows: SelectQueryBuilder<DB, TB, O>,
  list: string,
  { column, id, direction }: PageOrder,
  {
    page_size: size = 20,
    cursor,
  }: { readonly page_size?: number | undefined; readonly cursor?: string | undefined },
) {
  const isByTime = direction === "desc";
  const after = (key: string) => (isByTime ? keyTime(key) : sql`${key}`);
  const order = { column, id, than: isByTime ? sql`<` : sql`>`, after };
  const end = cursor === undefined ? null : readCursor(list, cursor, isByTime ? timeKeyForm : /^/);
  const left = end === null ? rows : rows.where(isBehind(order, end, false));
  const found = await left
    .orderBy(column, direction)
    .orderBy(id, direction)
    .limit(size + 1)
    .execute();
  return cutPage(found, size, list, (row) => ({ key: row.key, id: row.id }));
}
