import { type Kysely, type RawBuilder, sql } from "kysely";
import { teamsOf } from "../permission/actor.ts";
import { onePlan } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { Caller } from "./handler.ts";
import {
  cutPage,
  firstWindow,
  keyTime,
  maxWindow,
  nextWindow,
  type PageCursor,
  readCursor,
  timeKey,
  timeKeyForm,
  writeCursor,
} from "./page.ts";

type Condition = RawBuilder<unknown>;

/** What a list shows, newest first; all conditions name columns with their table. */
export interface Listed {
  /** It has `id` and `created_at`, by which the list is sorted. */
  readonly table: "executions" | "interactions" | "evaluation_results";
  /** Of the cursor, as `readCursor` knows it. */
  readonly list: string;
  /** A row that meets one of them is listed. For each there is an index that has its rows in the order of the list. */
  readonly branches: readonly Condition[];
  /** What no index knows; rows that do not meet it are looked at and left out. */
  readonly filters: readonly Condition[];
  /** How to find what is rare, where an index can. */
  readonly rare?: Rare | null;
}

/** An index of what filters ask for, which has no order. */
export interface Rare {
  /** Its name: it may be missing. */
  readonly index: string;
  /** What it finds, at least all rows that meet the filters, of everybody. */
  readonly found: Condition;
  /** As `branches`: what is not in the index yet, which is little. */
  readonly beside: readonly Condition[];
}

/** The rows of a page by their ids, in order. */
export interface NewestPage {
  readonly ids: readonly string[];
  readonly next_cursor: string | null;
}

/** Of what an index finds no more are looked at: then it is not rare, and found sooner in order. */
const maxRare = 1_000;

interface Found extends PageCursor {
  readonly looked: number;
  /** The last row that was looked at; null where there was none. */
  readonly last_key: string | null;
  readonly last_id: string | null;
}

/**
 * Whose rows a caller may see, as conditions that an index serves each: one for each team, and one for the person.
 * @param scope the team that a list is narrowed to; null: none
 */
export function ownersOf(caller: Caller, scope: string | null, table: Listed["table"]): readonly Condition[] {
  const teams = scope === null ? teamsOf(caller) : [scope];
  const own = caller.kind === "team" || scope !== null ? [] : [caller.userId];
  return [
    ...[...new Set(teams)].map((team) => sql`${sql.ref(`${table}.team_id`)} = ${team}`),
    ...own.map((user) => sql`${sql.ref(`${table}.user_id`)} = ${user}`),
  ];
}

/**
 * One page of what the caller may see, newest first. The branches are merged as far as the page goes, so that it takes
 * the same time however much there is. With filters only so much is looked through: a page may have fewer rows than were
 * asked for, or none, and yet a cursor, behind which the list goes on.
 * @throws ServiceError `invalid_cursor`
 */
export async function readNewest(
  db: Kysely<Database>,
  listed: Listed,
  {
    page_size: size = 20,
    cursor,
  }: { readonly page_size?: number | undefined; readonly cursor?: string | undefined },
): Promise<NewestPage> {
  const after = cursor === undefined ? null : readCursor(listed.list, cursor, timeKeyForm);
  if (listed.branches.length === 0) return { ids: [], next_cursor: null };
  if (listed.filters.length === 0) {
    const { rows } = await sql<PageCursor>`
      select listed.id, ${timeKey("listed.created_at")} as key from (${merged(listed, after, size + 1)}) listed
       order by listed.created_at desc, listed.id desc ${onePlan}`.execute(db);
    return cut(listed, rows, size);
  }
  for (let window: number = firstWindow; ; ) {
    const { looked, found, last } = await look(db, listed, merged(listed, after, window), size, onePlan);
    if (found.length > size || looked < window || last === null) return cut(listed, found, size);
    if (window === maxWindow) {
      return { ids: found.map(({ id }) => id), next_cursor: writeCursor(listed.list, last) };
    }
    const rare = found.length < 2 ? await lookRare(db, listed, after, size) : null;
    if (rare !== null) return cut(listed, rare, size);
    window = nextWindow(window, found.length, size) ?? maxWindow;
  }
}

function cut({ list }: Listed, rows: readonly PageCursor[], size: number): NewestPage {
  const page = cutPage(rows, size, list, ({ key, id }) => ({ key, id }));
  return { ids: page.rows.map(({ id }) => id), next_cursor: page.next_cursor };
}

/** The first `count` rows of all branches, each once. Every one is read in its index's order, and merged as far as needed. */
function merged(
  { table, branches }: Pick<Listed, "table" | "branches">,
  after: PageCursor | null,
  count: number,
) {
  const from = sql.table(table);
  const further = after === null ? sql`` : sql`and ${isAfter(table, after)}`;
  const order = sql`order by created_at desc, id desc limit ${sql.lit(count)}`;
  const scans = branches.map(
    (branch) => sql`(select ${from}.created_at, ${from}.id from ${from} where ${branch} ${further} ${order})`,
  );
  // On both, though there is nothing else: a plain `distinct` is made of all of them at once, not of their beginning.
  return sql`select distinct on (created_at, id) created_at, id from (${sql.join(scans, sql` union all `)}) branch ${order}`;
}

/** Behind the end of the page before. */
function isAfter(table: Listed["table"], { key, id }: PageCursor) {
  return sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)}) < (${keyTime(key)}, ${id})`;
}

/**
 * @param within what is looked through: `id` and `created_at`
 * @param plan `onePlan` where that is found in one way
 */
async function look(
  db: Kysely<Database>,
  listed: Listed,
  within: Condition,
  size: number,
  plan: Condition = sql``,
) {
  const { rows } = await sql<Found | { [K in keyof Found]: K extends "looked" ? number : string | null }>`
    with looked as materialized (${within}),
         last as (select id, ${timeKey("created_at")} as key from looked order by looked.created_at, looked.id limit 1)
    select (select count(*)::int from looked) as looked, found.id, found.key,
           (select id from last) as last_id, (select key from last) as last_key
      from (select) one left join (${meeting(listed, listed.filters, size)}) found on true
     order by found.created_at desc, found.id desc ${plan}`.execute(db);
  const [first] = rows;
  const found = rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }]));
  const last =
    first?.last_id == null || first.last_key === null ? null : { id: first.last_id, key: first.last_key };
  return { looked: first?.looked ?? 0, found, last };
}

/** Those of `looked` that meet the conditions. Each is looked up by its id: a join might read the whole table instead. */
function meeting({ table }: Listed, conditions: readonly Condition[], size: number) {
  return sql`
    select looked.created_at, looked.id, ${timeKey("looked.created_at")} as key
      from looked cross join lateral (
        select from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = looked.id and ${sql.join([...conditions], sql` and `)}
        offset 0) one
     order by looked.created_at desc, looked.id desc limit ${sql.lit(size + 1)}`;
}

/** What an index finds, where there is one and it finds little; else null. */
async function lookRare(db: Kysely<Database>, listed: Listed, after: PageCursor | null, size: number) {
  const { rare, table, branches, filters } = listed;
  if (!rare) return null;
  const there = await sql`select where to_regclass(${rare.index}) is not null`.execute(db);
  if (there.rows.length === 0) return null;
  const from = sql.table(table);
  const count = maxRare + 1;
  const within = sql`(select ${from}.created_at, ${from}.id from ${from} where ${rare.found} limit ${sql.lit(count)})
    union (${merged({ table, branches: rare.beside }, after, count)})`;
  const own = sql`(${sql.join([...branches], sql` or `)})`;
  const further = after === null ? [] : [isAfter(table, after)];
  const { looked, found } = await look(
    db,
    { ...listed, filters: [own, ...further, ...filters] },
    within,
    size,
  );
  return looked > maxRare ? null : found;
}

/** Puts what was loaded by ids back into their order; what is gone since is left out. */
export function inOrder<R extends { readonly id: string }>(ids: readonly string[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
