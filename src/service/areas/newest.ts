import { type Kysely, type RawBuilder, sql } from "kysely";
import { teamsOf } from "../permission/actor.ts";
import { onePlan } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { Caller } from "./handler.ts";
import { createHints } from "./hints.ts";
import {
  cutPage,
  isBehind,
  keyTime,
  type PageCursor,
  readCursor,
  type SortKey,
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
  /** What is looked for, which is remembered to be rare or not. */
  readonly text: string;
  /** Who looks for it where (`hintScope`): some have much of what others have little of. */
  readonly within: string;
  /** What it finds, at least all rows that meet the filters, of everybody. */
  readonly found: Condition;
  /** As `branches`: what is not in the index yet, which is little, and none of what is found. */
  readonly beside: readonly Condition[];
}

/** The rows of a page by their ids, in order. */
export interface NewestPage {
  readonly ids: readonly string[];
  readonly next_cursor: string | null;
}

/** Of what an index finds no more are looked at: then it is not rare, and found sooner in order. */
const maxRare = 1_000;

/**
 * So many rows are looked through for a page of what filters want: with more of them a page would take longer than it does
 * in a short history. Where an index may find the rest, some of them first: mostly they are enough.
 */
const windows = { whole: [200], first: [120, 80] } as const;

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
  const { rare = null } = listed;
  const known = rare === null ? undefined : rarity.of(rare.text);
  if (rare !== null && known === "rare") {
    const found = await lookRare(db, listed, rare, after, size);
    if (found !== null) return cut(listed, found, size);
  }
  const found: PageCursor[] = [];
  let last = after;
  const mayBeRare = rare !== null && known !== "frequent";
  const asked = JSON.stringify([rare?.within, rare?.text]);
  const isFirst = mayBeRare && near.of(asked) === undefined;
  for (const [turn, window] of (isFirst ? windows.first : windows.whole).entries()) {
    const looked = await look(db, listed, last, window, size);
    found.push(...looked.found);
    last = looked.last;
    if (found.length > size || last === null) return cut(listed, found, size);
    if (turn > 0 || !mayBeRare || !looked.hasIndex) continue;
    if (found.length > 0) {
      near.remember(asked, true);
      continue;
    }
    // What is not there at all is rare, mostly.
    const all = await lookRare(db, listed, rare, after, size);
    if (all !== null) return cut(listed, all, size);
  }
  return { ids: found.map(({ id }) => id), next_cursor: last && writeCursor(listed.list, last) };
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
  const further =
    after === null ? sql`` : sql`and ${isBehind(sortKeyOf(table), after, branches.length === 1)}`;
  const order = sql`order by created_at desc, id desc limit ${sql.lit(count)}`;
  const scans = branches.map(
    (branch) => sql`(select ${from}.created_at, ${from}.id from ${from} where ${branch} ${further} ${order})`,
  );
  // On both, though there is nothing else: a plain `distinct` is made of all of them at once, not of their beginning.
  return sql`select distinct on (created_at, id) created_at, id from (${sql.join(scans, sql` union all `)}) branch ${order}`;
}

const sortKeyOf = (table: Listed["table"]): SortKey => ({
  column: sql.ref(`${table}.created_at`),
  id: sql.ref(`${table}.id`),
  than: sql`<`,
  after: keyTime,
});

const all = (conditions: readonly Condition[]) => sql`(${sql.join([...conditions], sql` and `)})`;

interface Looked {
  /** What meets the filters, at most one more than the page has. */
  readonly found: readonly PageCursor[];
  /** The row that was looked at last; null at the list's end. */
  readonly last: PageCursor | null;
  /** Whether the index of what is rare is there, where there is more to look through. */
  readonly hasIndex: boolean;
}

/** Looks through the next rows, as far as the page needs it. */
async function look(
  db: Kysely<Database>,
  listed: Listed,
  after: PageCursor | null,
  window: number,
  size: number,
): Promise<Looked> {
  // Each is looked up by its id, when it is its turn: to filter what is merged the planner might sort all of somebody's rows.
  const from = sql.table(listed.table);
  const rows = sql`select row.created_at, row.id, one.holds from (${merged(listed, after, window)}) row
    cross join lateral (
      select ${all(listed.filters)} as holds from ${from} where ${from}.id = row.id offset 0) one`;
  const index = listed.rare == null ? sql`false` : sql`to_regclass(${listed.rare.index}) is not null`;
  const { rows: shown } = await sql<PageCursor & { holds: boolean; place: number; has_index: boolean }>`
    select ${index} as has_index, looked.id, ${timeKey("looked.created_at")} as key, looked.holds, looked.place
      from (select *, row_number() over (order by created_at desc, id desc)::int as place from (${rows}) row) looked
     where looked.holds or looked.place = ${sql.lit(window)}
     order by looked.created_at desc, looked.id desc limit ${sql.lit(size + 1)} ${onePlan}`.execute(db);
  const end = shown.at(-1);
  const isWhole = end?.place === window || shown.length > size;
  const found = shown.filter(({ holds }) => holds).map(({ id, key }) => ({ id, key }));
  if (!isWhole || end === undefined) return { found, last: null, hasIndex: false };
  return { found, last: { id: end.id, key: end.key }, hasIndex: end.has_index };
}

/** What an index finds, where it finds little; else null. Which it was is remembered. */
async function lookRare(
  db: Kysely<Database>,
  { table, branches, filters }: Listed,
  rare: Rare,
  after: PageCursor | null,
  size: number,
): Promise<readonly PageCursor[] | null> {
  const from = sql.table(table);
  const count = maxRare + 1;
  const own = sql`(${sql.join([...branches], sql` or `)})`;
  const further = after === null ? [] : [isBehind(sortKeyOf(table), after, true)];
  const beside = rare.beside.map(
    (branch) => sql`(select ${from}.* from ${from} where ${branch}
      order by ${from}.created_at desc, ${from}.id desc limit ${sql.lit(count)})`,
  );
  const found = [sql`(select ${from}.* from ${from} where ${rare.found} limit ${sql.lit(count)})`, ...beside];
  const { rows } = await sql<{ readonly count: number; readonly id: string | null; readonly key: string }>`
    with found as materialized (${sql.join(found, sql` union all `)}), counted as (select count(*)::int as count from found)
    select counted.count, page.id, page.key from counted left join lateral (
      select distinct on (${from}.created_at, ${from}.id)
             ${from}.id, ${from}.created_at, ${timeKey(`${table}.created_at`)} as key from found as ${from}
       where counted.count <= ${sql.lit(maxRare)} and ${all([own, ...further, ...filters])}
       order by ${from}.created_at desc, ${from}.id desc limit ${sql.lit(size + 1)}) page on true
     order by page.created_at desc, page.id desc ${onePlan}`.execute(db);
  const isRare = (rows[0]?.count ?? 0) <= maxRare;
  rarity.remember(rare.text, isRare ? "rare" : "frequent");
  return isRare ? rows.flatMap(({ id, key }) => (id === null ? [] : [{ id, key }])) : null;
}

/** How much of a text there was when it was last looked for everywhere. */
const rarity = createHints<"rare" | "frequent">();
/** Who found some of what they searched for among the newest, and does best to look through all of a window at once. */
const near = createHints<true>();

/** Puts what was loaded by ids back into their order; what is gone since is left out. */
export function inOrder<R extends { readonly id: string }>(ids: readonly string[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
