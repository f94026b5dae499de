import { type RawBuilder, sql } from "kysely";
import type { Context } from "../context.ts";
import { onePlan } from "../store/prepared.ts";
import {
  type ArtifactQuery,
  type Filter,
  filters,
  type ListScope,
  leftOut,
  placesOf,
  readersOf,
} from "./artifact-filters.ts";
import type { Caller } from "./handler.ts";
import { askerOf, createHints } from "./hints.ts";
import {
  cutPage,
  isBehind,
  keyTime,
  type PageCursor,
  readCursor,
  type SortKey,
  timeKey,
  timeKeyForm,
} from "./page.ts";

/** One artifact with its newest version, as lists show it. */
export interface ListedArtifact {
  readonly id: string;
  readonly version_id: string;
  readonly major_version: number;
  readonly agent_id: string;
  readonly alias: string | null;
  readonly interaction_id: string;
  readonly filename: string;
  readonly created_at: Date;
  readonly media_type: string;
  readonly size: number;
  readonly user_id: string | null;
  readonly link_mode: "none" | "anyone" | "password";
  readonly organization_role: string | null;
  /** The team that it was made for. */
  readonly team_id: string | null;
}

type Row = ListedArtifact & { readonly key: string };

/** What a part of the merged list has for a page. */
interface Looked {
  /** At most one more than the page. */
  readonly found: readonly Row[];
  /** The row that was looked at last, where the list may go on behind it and the page is not full. */
  readonly last: PageCursor | null;
}

/** How an order reads `artifact_audience`, which has an index for each. */
interface Order extends SortKey {
  readonly name: string;
  readonly direction: RawBuilder<unknown>;
  readonly key: RawBuilder<string>;
  readonly keyForm: RegExp;
}

function orderOf(sort: NonNullable<ArtifactQuery["sort_order"]>): Order {
  const byName = sort === "name_asc" || sort === "name_desc";
  const falling = sort === "newest" || sort === "name_desc";
  const beginning = sql<string>`left(listed.name, 200)`;
  return {
    name: `artifacts:${sort}`,
    column: byName ? beginning : sql`listed.created_at`,
    id: sql`listed.artifact_id`,
    direction: falling ? sql`desc` : sql`asc`,
    than: falling ? sql`<` : sql`>`,
    key: byName ? beginning : timeKey("listed.created_at"),
    keyForm: byName ? /^/ : timeKeyForm,
    after: (key) => (byName ? sql`${key}` : keyTime(key)),
  };
}

/** So many rows of the merged list are looked through first, then at once, and in all for one page. */
const windows = { first: 200, further: 600, all: 2_000 };

/**
 * One page of what the caller may see (§4.8). The audiences that the caller belongs to are read in the order of the list
 * and merged, no further than the page, so that it takes the same time however much there is. What filters leave out of
 * that is little, mostly; where it is not, what is left is found by an index of all that they may ask for.
 * @throws ServiceError `invalid_cursor`
 */
export async function listPage(context: Context, caller: Caller, query: ArtifactQuery, scope: ListScope) {
  const order = orderOf(query.sort_order ?? "newest");
  const size = query.page_size ?? 20;
  const cut = (rows: readonly Row[]) =>
    cutPage(rows, size, order.name, (row) => ({ key: row.key, id: row.id }));
  const after = query.cursor === undefined ? null : readCursor(order.name, query.cursor, order.keyForm);
  const readers = readersOf(caller, query, scope);
  if (readers.length === 0) return cut([]);
  const left = leftOut(caller, query, scope);
  const wanted = filters(query);
  const asked = { ...{ order, size, readers, left, wanted }, places: placesOf(query, scope) };
  if (wanted.length === 0 && left.length === 0)
    return cut((await look(context, asked, after, size + 1)).found);
  const asker = askerOf(caller, scope.agentId, scope.teamId);
  const question = JSON.stringify([asker, { ...query, cursor: undefined }]);
  const known = dense.of(question);
  const found: Row[] = [];
  let last = after;
  let through = 0;
  // As many as it takes where they are as frequent further on, and a quarter more.
  for (let takes = known === false ? windows.all + 1 : 0; takes <= windows.all; ) {
    const window = through > 0 || known === true ? windows.further : windows.first;
    const looked = await look(context, asked, last, window);
    found.push(...looked.found);
    last = looked.last;
    if (found.length > size || last === null) return cut(found);
    if (through === 0) dense.remember(question, found.length > 0);
    through += window;
    takes = Math.max(through + windows.further, ((size + 1) * 1.25 * through) / found.length);
  }
  // Then an index of what the filters want is quicker.
  return cut([...found, ...(await readLabelled(context, asked, last))]);
}

/** Whether there was some of what was asked for among the first rows, or all of it is looked for by its labels at once. */
const dense = createHints<boolean>();

interface Asked {
  readonly order: Order;
  readonly size: number;
  /** Whose rows are merged. */
  readonly readers: readonly RawBuilder<string>[];
  /** What the audience's own indexes are for. */
  readonly places: readonly RawBuilder<unknown>[];
  readonly wanted: readonly Filter[];
  /** Conditions of the rows that are shown, beside the filters. */
  readonly left: readonly RawBuilder<unknown>[];
}

/** Looks through the next rows of the merged list, no further than a page needs. @param count how many of them */
async function look(
  { store }: Context,
  asked: Asked,
  after: PageCursor | null,
  count: number,
): Promise<Looked> {
  const { order, readers, places } = asked;
  const further = all([...places, ...behind(order, after, readers.length === 1)]);
  const { column, direction } = order;
  const sources = readers.map(
    (reader) => sql`(select ${fieldsOf(order)} from artifact_audience listed
      where listed.audience = ${reader} and ${further}
      order by ${column} ${direction}, listed.artifact_id ${direction} limit ${sql.lit(count)})`,
  );
  const isEnd = sql`listed.place = ${sql.lit(count)}`;
  const rows = await readRows(store, shownOf(asked, sql.join(sources, sql` union all `), count, isEnd));
  const end = rows.at(-1);
  return {
    found: rows.filter(({ is_found }) => is_found),
    last: end?.is_end === true ? { key: end.key, id: end.listed_id } : null,
  };
}

/** What the labels of the filters find. How that is done best depends on which they are, and is planned for each. */
async function readLabelled(
  { store }: Context,
  asked: Asked,
  after: PageCursor | null,
): Promise<readonly Row[]> {
  const { order, size, readers, places, wanted, left } = asked;
  const conditions = [
    ...places,
    ...behind(order, after, false),
    ...wanted.flatMap(({ labelled, holds }) => [labelled, holds]),
  ];
  const source = sql`select ${fieldsOf(order)} from artifact_audience listed
    where listed.audience = any(array[${sql.join([...readers])}]::text[]) and ${all(conditions)}`;
  const shown = shownOf(asked, source, left.length === 0 ? size + 1 : null, sql`false`);
  const { rows } = await sql<{ artifact_id: string; key: string }>`${shown}`.execute(store.db);
  const placed = JSON.stringify(rows.map(({ artifact_id, key }, place) => ({ artifact_id, key, place })));
  const found = sql`select *, true as is_found, false as is_end from json_to_recordset(${placed}::json)
    as row (artifact_id text, key text, place int) limit ${sql.lit(size + 1)}`;
  return (await readRows(store, found)).filter(({ is_found }) => is_found);
}

const fieldsOf = ({ column }: Order) =>
  sql`listed.artifact_id, listed.created_at, listed.name, listed.user_id, listed.media_type, ${column} as sorted`;

/**
 * The rows of a page by their ids, and the one that `isEnd` is true of.
 * @param source rows of the merged list, some of them twice
 * @param count how many of them are looked at, in order; null: all
 */
function shownOf(
  { order, size, wanted, left }: Asked,
  source: RawBuilder<unknown>,
  count: number | null,
  isEnd: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { direction, key } = order;
  // Before anything is looked up: they ask for nothing but what the list itself has.
  const held = all(wanted.map(({ holds }) => holds));
  // In order and no further than the page, also where filters leave out much. Where the artifact itself is asked it is
  // looked up by its id: a join might read the whole table instead.
  const one =
    left.length === 0
      ? sql`select ${held} as is_found`
      : sql`select true as is_found from artifacts a where ${held} and a.id = listed.artifact_id and ${all(left)} offset 0`;
  return sql`
    select listed.artifact_id, ${key} as key, listed.place, one.is_found, ${isEnd} as is_end from (
      select *, row_number() over (order by sorted ${direction}, artifact_id ${direction})::int as place from (
        select distinct on (sorted, artifact_id) * from (${source}) source
         order by sorted ${direction}, artifact_id ${direction} limit ${count === null ? sql`all` : sql.lit(count)}) listed
    ) listed left join lateral (${one}) one on true
     where one.is_found or ${isEnd}
     order by listed.sorted ${direction}, listed.artifact_id ${direction} limit ${sql.lit(size + 1)}`;
}

type ShownRow = Row & { readonly listed_id: string; readonly is_found: boolean; readonly is_end: boolean };

/** @param shown `artifact_id`, `key`, `place`, and whether it `is_found` and `is_end` of what was looked through */
async function readRows({ db }: Context["store"], shown: RawBuilder<unknown>): Promise<readonly ShownRow[]> {
  const { rows } = await sql<ShownRow>`
    with shown as materialized (${shown})
    select a.id, a.version_id, a.major_version, a.agent_id, agents.alias, a.interaction_id, a.filename, a.created_at,
           a.user_id, a.team_id, a.link_mode, a.organization_role, version.media_type, version.size, shown.key,
           shown.artifact_id as listed_id, shown.is_end,
           (shown.is_found and a.removed_at is null and version.id is not null and agents.id is not null) is true as is_found
      from shown
      left join artifacts a on a.id = shown.artifact_id
      left join artifact_versions version on version.id = a.version_id
      left join agents on agents.id = a.agent_id
     order by shown.place ${onePlan}`.execute(db);
  return rows;
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

const behind = (order: Order, end: PageCursor | null, isUnplanned: boolean) =>
  end === null ? [] : [isBehind(order, end, isUnplanned)];
