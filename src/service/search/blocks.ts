import { sql } from "kysely";
import { toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import { groupBy } from "./group-by.ts";
import type { Ended, Said } from "./read-ended.ts";

/** More members make a row cheaper and what it finds dearer: all of them are compared again. */
const mostMembers = 16;
/** Characters of one block, before what its members share is left out. */
const longest = 32_000;

/** How far apart the numbers of a block's members may lie: so far is looked for blocks that reach across a place. */
export const widest = 65_536;

/** Whose texts may lie in one block. */
type Owner = Pick<Ended, "kind" | "user_id" | "team_id">;

/** A run or turn, or a part of a long one, and its place in the order in which all were indexed. */
interface Member extends Owner {
  readonly id: string;
  readonly ended_at: string;
  readonly number: number;
  readonly length: number;
  readonly lines: Said["lines"];
  /** Null of what is pending already. */
  readonly texts: readonly string[] | null;
}

/**
 * Writes what has just ended: as many of one owner's as make a block together with what was pending of it, and the rest to
 * what is pending. A part of a long log is a block of its own.
 * @returns the last number given, and whether there is a new block
 */
export async function addToBlocks(
  tx: Tx,
  said: readonly Said[],
): Promise<{ last: number; hasBlocks: boolean }> {
  const members = await numbered(tx, said);
  const full = members.filter(({ lines }) => lines !== null).map((part) => [part]);
  const rest: Member[] = [];
  const owned = groupBy(
    members.filter(({ lines }) => lines === null),
    ownerKey,
  );
  const pending = groupBy(await readPending(tx, [...owned.values()].flatMap(firstOf)), ownerKey);
  for (const [key, fresh] of owned) {
    let block: Member[] = [];
    const close = () => {
      full.push(block);
      block = [];
    };
    for (const member of [...(pending.get(key) ?? []), ...fresh]) {
      const [first = member] = block;
      if (member.number - lowest(first) > widest) close();
      block.push(member);
      const length = block.reduce((sum, one) => sum + one.length, 0);
      if (block.length === mostMembers || length >= longest) close();
    }
    rest.push(...block.filter(({ texts }) => texts !== null));
  }
  await insertPending(tx, rest);
  await insertBlocks(tx, full);
  return { last: members.at(-1)?.number ?? 0, hasBlocks: full.length > 0 };
}

const firstOf = <T>([first]: readonly T[]): T[] => (first === undefined ? [] : [first]);
const ownerKey = ({ kind, user_id, team_id }: Owner) => JSON.stringify([kind, user_id, team_id]);

/** A turn has two numbers: of its question, and its own. */
const numbersOf = (kind: Ended["kind"]) => (kind === "turn" ? 2 : 1);
const lowest = ({ kind, number }: Member) => number + 1 - numbersOf(kind);

async function numbered(tx: Tx, said: readonly Said[]): Promise<Member[]> {
  const count = said.reduce((sum, { owner }) => sum + numbersOf(owner.kind), 0);
  const { rows } = await sql<{ number: string }>`
    select nextval('search_numbers') as number from generate_series(1, ${count}::integer)`.execute(tx);
  let at = -1;
  return said.map(({ owner, lines, texts }) => {
    const { id, kind, user_id, team_id, ended_at } = owner;
    at += numbersOf(kind);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    return {
      ...{ id, kind, user_id, team_id, ended_at, length, lines, texts },
      number: Number(rows[at]?.number),
    };
  });
}

/** What is pending of these owners, in its order. */
async function readPending(tx: Tx, owners: readonly Owner[]): Promise<Member[]> {
  const { rows } = await sql<Owner & { id: string; ended_at: string; number: string; length: number }>`
    select kind, user_id, team_id, id, ended_at::text, number, length from search_pending
     where (user_id, team_id, kind) in (
             select user_id, team_id, kind
               from json_to_recordset(${toJson(owners.map(({ kind, user_id, team_id }) => ({ kind, user_id, team_id })))})
                    owner (kind text, user_id text, team_id text))
     order by number`.execute(tx);
  return rows.map((row) => ({ ...row, number: Number(row.number), lines: null, texts: null }));
}

async function insertPending(tx: Tx, members: readonly Member[]): Promise<void> {
  if (members.length === 0) return;
  await sql`
    insert into search_pending (number, kind, user_id, team_id, id, ended_at, length, texts)
    select * from json_to_recordset(${toJson(members.map(({ lines: _, ...member }) => member))})
      member (number bigint, kind text, user_id text, team_id text, id text, ended_at timestamptz, length integer, texts json)`.execute(
    tx,
  );
}

async function insertBlocks(tx: Tx, blocks: readonly (readonly Member[])[]): Promise<void> {
  if (blocks.length === 0) return;
  const taken = await takePending(
    tx,
    blocks.flat().filter(({ texts }) => texts === null),
  );
  const rows = blocks.flatMap((members) => {
    const [first] = members;
    const last = members.at(-1);
    if (first === undefined || last === undefined) return [];
    return {
      ...{ number: last.number, first_number: lowest(first) },
      ...{ kind: first.kind, user_id: first.user_id, team_id: first.team_id },
      ...{ first_line: first.lines?.[0] ?? null, last_line: first.lines?.[1] ?? null },
      ...{ ids: members.map(({ id }) => id), numbers: members.map(({ number }) => number) },
      ends: members.map(({ ended_at }) => ended_at),
      text: blockText(members.map(({ number, texts }) => texts ?? taken.get(number) ?? [])),
    };
  });
  await sql`
    insert into search_blocks (number, first_number, first_ended_at, ended_at, first_line, last_line, kind, user_id, team_id,
                               ids, numbers, text)
    select number, first_number, (select min(ended) from unnest(ends) ended), (select max(ended) from unnest(ends) ended),
           first_line, last_line, kind, user_id, team_id, ids, numbers, text
      from json_to_recordset(${toJson(rows)})
           block (number bigint, first_number bigint, ends timestamptz[], first_line integer, last_line integer, kind text,
                  user_id text, team_id text, ids text[], numbers bigint[], text text)`.execute(tx);
}

/** What is no longer pending, with its texts by number. */
async function takePending(
  tx: Tx,
  members: readonly Member[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (members.length === 0) return new Map();
  const { rows } = await sql<{ number: string; texts: readonly string[] }>`
    delete from search_pending where number = any(${members.map(({ number }) => number)}::bigint[])
    returning number, texts`.execute(tx);
  return new Map(rows.map(({ number, texts }) => [Number(number), texts]));
}

/** What the members of a block say, each text once: whichever it finds is looked at again. */
export function blockText(texts: readonly (readonly string[])[]): string {
  return [...new Set(texts.flat())].join("\n");
}
