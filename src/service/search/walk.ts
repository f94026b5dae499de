import { type RawBuilder, sql } from "kysely";
import type { Store } from "../store/store.ts";

/** The stretches of `search_stretches` in migration 0022: rows of the smallest, how they grow, the largest level. */
const smallest = 1_024;
const growth = 4;
const largestLevel = 5;

/** What one walk should take, in milliseconds, and what a statement may take of it at least. */
const budgetMs = 160;
const leastMs = 15;
/** The smallest stretches are read to their end, so that each request comes on. */
const smallestMs = 5_000;

/** Rows that one statement gives. */
const rowsAtOnce = 250;

export type SearchTable = "search_runs" | "search_messages";

export interface Walk {
  readonly table: SearchTable;
  /** Whose rows: `user ID` and `team ID`, as the index has them. */
  readonly readers: readonly string[];
  /** Of LIKE, see `likePattern`. */
  readonly pattern: string;
  /** Rows before this one; null: from the newest. */
  readonly before: number | null;
}

/** Rows that may have what is searched for, newest first. */
export interface Step<T> {
  readonly rows: readonly (T & { readonly seq: number })[];
  /** From here on everything was looked at; 0 when nothing is left. */
  readonly lookedTo: number;
}

/**
 * Goes back through the rows of some readers, by stretches that grow as long as nothing comes of them: of what is
 * everywhere no more is read than is shown, and what is nowhere is soon known to be nowhere. It ends with the rows, or
 * after at least one stretch when its time is up; whoever has enough stops reading.
 * @param columns of the rows beside their number
 */
export async function* walkBack<T>(
  store: Pick<Store, "db">,
  walk: Walk,
  columns: RawBuilder<unknown>,
): AsyncGenerator<Step<T>> {
  const end = performance.now() + budgetMs;
  let before = walk.before ?? (await newest(store, walk.table)) + 1;
  let level = 0;
  let highest = largestLevel;
  let isFirst = true;
  while (before > 1) {
    const left = end - performance.now();
    if (!isFirst && left <= 0) return;
    if (level < highest && (before - 1) % sizeOf(level + 1) === 0) level += 1;
    // Of what is everywhere the first and smallest one has enough.
    const stretch = stretchBefore(before, isFirst ? 0 : level, isFirst);
    const ms = stretch.level === 0 ? smallestMs : Math.max(leastMs, left / 2);
    const rows = await read<T>(store, { ...walk, before }, { stretch, columns, ms });
    if (rows === null) {
      // Too much of it: nothing of that is known, and smaller stretches come on.
      highest = Math.max(0, stretch.level - 2);
      level = highest;
      continue;
    }
    before = rows.length === rowsAtOnce ? (rows.at(-1)?.seq ?? 1) : stretch.from;
    isFirst = false;
    yield { rows, lookedTo: before - 1 };
  }
}

const sizeOf = (level: number) => smallest * growth ** level;

interface Stretch {
  readonly level: number;
  /** As in the labels of the index. */
  readonly numbers: readonly number[];
  /** The number of its first row. */
  readonly from: number;
}

/** The rows before this one, down to where a stretch of this level or of the next one begins. */
function stretchBefore(before: number, level: number, isSingle: boolean): Stretch {
  const last = Math.floor((before - 2) / sizeOf(level));
  const first = isSingle ? last : last - (last % growth);
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return { level, numbers, from: first * sizeOf(level) + 1 };
}

/** The greatest number that there is; 0 where there is nothing. */
async function newest({ db }: Pick<Store, "db">, table: SearchTable): Promise<number> {
  const { rows } = await sql<{ seq: string | null }>`select max(seq) as seq from ${sql.table(table)}`.execute(
    db,
  );
  return Number(rows[0]?.seq ?? 0);
}

/** @returns null when it did not end in time */
async function read<T>(
  { db }: Pick<Store, "db">,
  { table, readers, pattern, before }: Walk & { readonly before: number },
  { stretch, columns, ms }: { stretch: Stretch; columns: RawBuilder<unknown>; ms: number },
): Promise<(T & { readonly seq: number })[] | null> {
  const labels = stretch.numbers.flatMap((number) =>
    readers.map((reader) => `${stretch.level} ${number} ${reader}`),
  );
  try {
    return await db.transaction().execute(async (tx) => {
      // The planner knows nothing of how few the labels leave, and would read everything in the order of the answer.
      await sql`select set_config('statement_timeout', ${String(Math.ceil(ms))}, true),
                       set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(tx);
      const { rows } = await sql<T & { seq: string }>`
        with found as materialized (
          select seq, ${columns} from ${sql.table(table)}
           where search_stretches(user_id, team_id, seq) && ${labels}::text[] and text like ${pattern}
        ) select * from found where seq < ${before} order by seq desc limit ${sql.lit(rowsAtOnce)}`.execute(
        tx,
      );
      return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
    });
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
}

/** `statement_timeout` has ended it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57014";
}
