import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import type { Store } from "./store.ts";

/** Bytes of one read; a longer list is read piece by piece. */
const longest = 256 * 1024;
/** Rows that one read looks at. */
const mostRows = 1_000;

/** Where the rows of a list come from, and how long they are. */
export interface Fitting {
  /** A query of what is shown, with `place` of the table `looked` and, as `texts`, the bytes that are known without unpacking. */
  readonly rows: RawBuilder<unknown>;
  /** Those of its columns that lie packed. */
  readonly packed: readonly string[];
  /** Those that are read; absent: all. */
  readonly columns?: readonly string[];
}

interface Placed {
  /** Among the ids that were looked at, from 1. */
  readonly place: number;
  /** Rows that were there to be read; those that make it too long were left out. */
  readonly found: number;
}

/**
 * Rows by their ids, as many as fit into one read, and always one where there is one.
 * @param ids in their order
 * @param from the place of the first one to be read, from 0
 * @param fitting is given the table `looked` with `looked_id` and `place`, and leaves out what is not there any more
 * @returns and the place where the next read goes on; the length of `ids` at their end
 */
export async function readFitting<Row extends pg.QueryResultRow>(
  store: Pick<Store, "db" | "query">,
  ids: readonly string[],
  from: number,
  fitting: (looked: RawBuilder<unknown>) => Fitting,
): Promise<{ readonly rows: Row[]; readonly next: number }> {
  const looked = ids.slice(from, from + mostRows);
  const {
    rows: all,
    packed,
    columns,
  } = fitting(sql`unnest(${looked}::text[]) with ordinality as looked (looked_id, place)`);
  const sum = (bytes: (column: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    sql.join([sql`texts`, ...packed.map((name) => sql`coalesce(${bytes(sql.ref(name))}, 0)`)], sql` + `);
  const read = columns && sql.join([...columns, "place", "found"].map((name) => sql.ref(name)));
  // First by how they lie, which is known without unpacking them, then of those by how long they are.
  const { sql: text, parameters } = sql`
    select ${read ?? sql`*`}
      from (select few.*, sum(${sum((column) => sql`octet_length(${column}::text)`)}) over way as total
              from (select next.*, count(*) over ()::integer as found, row_number() over way as number,
                           sum(${sum((column) => sql`pg_column_size(${column})`)}) over way as lying
                      from (${all}) as next
                    window way as (order by place)) as few
             where lying <= ${longest} or number = 1
            window way as (order by place)) as counted
     where total <= ${longest} or number = 1
     order by place`.compile(store.db);
  const rows = await store.query<Row & Placed>({ text, values: [...parameters] });
  const last = rows.at(-1);
  const isCut = last !== undefined && rows.length < last.found;
  return { rows, next: from + (isCut ? Number(last.place) : looked.length) };
}
