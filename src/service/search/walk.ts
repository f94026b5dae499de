import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import { widest } from "./blocks.ts";

/** The stretches of `search_stretches` in migration 0023: numbers of the smallest, how they grow, the largest level. */
const smallest = 1_024;
const growth = 4;
const largestLevel = 5;

/** What one walk should take, in milliseconds, and what a statement may take of it at least. */
const budgetMs = 160;
const leastMs = 15;
/** The smallest stretches are read to their end, so that each request comes on. */
const smallestMs = 5_000;

/** Blocks that one statement gives. */
const blocksAtOnce = 100;

/** What is searched: runs, or turns of conversations. */
export type SearchedKind = "pipeline" | "turn";

export interface Walk {
  readonly kind: SearchedKind;
  /** Whose blocks: of this person, and of these teams. */
  readonly userId: string | null;
  readonly teamIds: readonly string[];
  /** Of LIKE, see `likePattern`. */
  readonly pattern: string;
  /** What comes before this number; null: from the newest. */
  readonly before: number | null;
}

/** A run or turn that may have what is searched for, or a part of a run's log. */
export interface Candidate {
  readonly id: string;
  /** Its place in the order. A turn is in it twice: with its answer, and before it with its question. */
  readonly number: number;
  readonly isQuestion: boolean;
  /** Of the log; null for all of it. */
  readonly lines: readonly [first: number, last: number] | null;
}

/** What one statement found, newest first. */
export interface CandidateBatch {
  readonly candidates: readonly Candidate[];
  /** From here on everything was looked at; 0 when nothing is left. */
  readonly lookedTo: number;
}

/**
 * Goes back through what some readers may see, by stretches that grow as long as nothing comes of them: of what is
 * everywhere no more is read than is shown, and what is nowhere is soon known to be nowhere. It ends with what there is, or
 * after at least one stretch when its time is up; whoever has enough stops reading.
 */
export async function* walkBack(store: Pick<Store, "db">, walk: Walk): AsyncGenerator<CandidateBatch> {
  const end = performance.now() + budgetMs;
  const top = walk.before ?? (await newest(store)) + 1;
  let before = top;
  // What leaves here comes into a block: pending first, or it could be in neither.
  let held = [...(await readPending(store, walk, top)), ...(await readAcross(store, walk, top))];
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
    const blocks = await readStretch(store, walk, { before, stretch, ms });
    if (blocks === null) {
      // Too much of it: nothing of that is known, and smaller stretches come on.
      highest = Math.max(0, stretch.level - 2);
      level = highest;
      continue;
    }
    before = blocks.length === blocksAtOnce ? Number(blocks.at(-1)?.number ?? 1) : stretch.from;
    isFirst = false;
    held.push(...blocks.flatMap((block) => membersOf(block, top)));
    // A block reaches back beyond others: those of its members wait for theirs.
    const candidates = held.filter(({ number }) => number >= before);
    held = held.filter(({ number }) => number < before);
    yield { candidates: inOrder(candidates), lookedTo: before - 1 };
  }
  yield { candidates: inOrder(held), lookedTo: 0 };
}

/** Newest first, and each once: it may have come into a block while it was looked for. */
function inOrder(candidates: readonly Candidate[]): Candidate[] {
  const byNumber = new Map(candidates.map((candidate) => [candidate.number, candidate]));
  return [...byNumber.values()].toSorted((one, other) => other.number - one.number);
}

const sizeOf = (level: number) => smallest * growth ** level;

interface Stretch {
  readonly level: number;
  /** As in the labels of the index. */
  readonly numbers: readonly number[];
  /** Its first number. */
  readonly from: number;
}

/** What comes before this number, down to where a stretch of this level or of the next one begins. */
function stretchBefore(before: number, level: number, isSingle: boolean): Stretch {
  const last = Math.floor((before - 2) / sizeOf(level));
  const first = isSingle ? last : last - (last % growth);
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return { level, numbers, from: first * sizeOf(level) + 1 };
}

/** The greatest number that there is; 0 where there is nothing. */
async function newest({ db }: Pick<Store, "db">): Promise<number> {
  const { rows } = await sql<{ number: string }>`
    select greatest((select max(number) from search_blocks), (select max(number) from search_pending), 0) as number`.execute(
    db,
  );
  return Number(rows[0]?.number);
}

const isTheirs = ({ userId, teamIds }: Walk) =>
  sql`(user_id = ${userId}::text or team_id = any(${teamIds}::text[]))`;

/** What is not in a block yet; it is little. */
async function readPending({ db }: Pick<Store, "db">, walk: Walk, top: number): Promise<Candidate[]> {
  const { rows } = await sql<Block>`
    select array[id] as ids, array[number] as numbers, null as first_line, null as last_line, kind from search_pending
     where kind = ${walk.kind} and number <= ${top} and ${isTheirs(walk)}
       and exists (select from json_array_elements_text(texts) said (text) where text like ${walk.pattern})`.execute(
    db,
  );
  return rows.flatMap((row) => membersOf(row, top));
}

/** Of the blocks whose members lie on both sides of the place where the walk begins. */
async function readAcross({ db }: Pick<Store, "db">, walk: Walk, top: number): Promise<Candidate[]> {
  const { rows } = await sql<Block>`
    with across as materialized (
      select * from search_blocks
       where number between ${top}::bigint and ${top + widest}::bigint and first_number < ${top}
         and kind = ${walk.kind} and ${isTheirs(walk)}
    ) select ids, numbers, first_line, last_line, kind from across where text like ${walk.pattern}`.execute(
    db,
  );
  return rows.flatMap((row) => membersOf(row, top));
}

interface Block {
  readonly number: string;
  readonly kind: SearchedKind;
  readonly ids: readonly string[];
  readonly numbers: readonly string[];
  readonly first_line: number | null;
  readonly last_line: number | null;
}

function membersOf({ kind, ids, numbers, first_line, last_line }: Block, before: number): Candidate[] {
  const lines = first_line === null || last_line === null ? null : ([first_line, last_line] as const);
  return ids
    .flatMap((id, at) => {
      const number = Number(numbers[at]);
      const own = { id, number, isQuestion: false, lines };
      return kind === "turn" ? [own, { ...own, number: number - 1, isQuestion: true }] : [own];
    })
    .filter(({ number }) => number < before);
}

/** @returns null when it did not end in time */
async function readStretch(
  { db }: Pick<Store, "db">,
  { kind, userId, teamIds, pattern }: Walk,
  { before, stretch, ms }: { before: number; stretch: Stretch; ms: number },
): Promise<Block[] | null> {
  const readers = [...(userId === null ? [] : [`user ${userId}`]), ...teamIds.map((id) => `team ${id}`)];
  const labels = stretch.numbers.flatMap((number) =>
    readers.map((reader) => `${stretch.level} ${number} ${reader}`),
  );
  try {
    return await db.transaction().execute(async (tx) => {
      // The planner knows nothing of how few the labels leave, and would read everything in the order of the answer.
      await sql`select set_config('statement_timeout', ${String(Math.ceil(ms))}, true),
                       set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(tx);
      const { rows } = await sql<Block>`
        with found as materialized (
          select number, kind, ids, numbers, first_line, last_line from search_blocks
           where search_stretches(user_id, team_id, number) && ${labels}::text[] and text like ${pattern}
        ) select * from found where number < ${before} and kind = ${kind} order by number desc
           limit ${sql.lit(blocksAtOnce)}`.execute(tx);
      return rows;
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
