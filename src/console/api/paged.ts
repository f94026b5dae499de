import type { Call, Endpoint } from "../../contract/define.ts";
import { type CallOptions, call, type DataOf } from "./client.ts";
import type { Connection } from "./connection.ts";
import { type ReadOptions, readOptions } from "./read.ts";

/** The beginning of a list, as far as it was read. */
export interface Rows<R> {
  readonly rows: readonly R[];
  /** Where the next page begins; null after the last. */
  readonly cursor: string | null;
}

export type IdOf<R> = (row: R) => string;

/** Each row once: the first of those with the same id. */
export function eachOnce<R>(rows: readonly R[], idOf: IdOf<R>): readonly R[] {
  const seen = new Set<string>();
  return rows.filter((row) => seen.size < seen.add(idOf(row)).size);
}

/** How the rows of one list are had from its answers. Functions of a module, so that they stay the same. */
export interface PageForm<E extends Endpoint, R> {
  readonly pageOf: (data: DataOf<E>) => Rows<R>;
  readonly idOf: IdOf<R>;
}

/**
 * Rows that every answer has under one name, told apart by one field; those that came without it are left out.
 * Called once for each list, outside of everything that is drawn.
 */
export function rowsIn<E extends Endpoint, R>(
  list: keyof DataOf<E> & string,
  id: keyof R & string,
): PageForm<E, R> {
  // What the contract calls so is a list of such rows.
  type Answer = Readonly<Record<string, (R | null)[]>> & { readonly next_cursor?: string | null };
  return {
    pageOf: (data: Answer) => ({
      rows: (data[list] ?? []).filter((row): row is R => Boolean(row?.[id])),
      cursor: data.next_cursor || null,
    }),
    idOf: (row) => row[id] as string,
  } as PageForm<E, R>;
}

/** A list of the service that is read page by page. */
export interface Paged<E extends Endpoint, R> extends PageForm<E, R> {
  /** The first page: what is polled, and what everybody asks who wants no more than that. */
  readonly first: ReturnType<typeof readOptions<E>>;
  /** @throws ConsoleError */
  readonly read: (
    cursor: string | null,
    options: Pick<CallOptions<E>, "signal" | "poll">,
  ) => Promise<Rows<R>>;
}

/** @param inputOf what is sent for the page that begins at a cursor; without one for the first */
export function paged<E extends Endpoint, R>(
  api: Connection,
  endpoint: E,
  inputOf: (page: { readonly cursor?: string }) => Call<E>,
  form: PageForm<E, R>,
  options: ReadOptions<E> = {},
): Paged<E, R> {
  return {
    first: readOptions(api, endpoint, inputOf({}), options),
    read: async (cursor, how) => {
      const input = inputOf(cursor === null ? {} : { cursor });
      return form.pageOf((await call(api, endpoint, input, how)).data);
    },
    ...form,
  };
}
