import { type RawBuilder, sql } from "kysely";
import type { Person } from "../agents/agent-view.ts";
import type { Context } from "../context.ts";
import { onePlan, unplanned } from "../store/prepared.ts";
import type { Filter } from "./artifact-filters.ts";
import { isBehind, type PageCursor, type SortKey } from "./page.ts";

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
  /** The person with `user_id`. */
  readonly creator: Person | null;
}

/** With what a cursor is made of. */
export type Row = ListedArtifact & { readonly key: string };

/** What a part of the merged list has for a page. */
export interface Looked {
  /** At most one more than the page. */
  readonly found: readonly Row[];
  /** The row that was looked at last, where the list may go on behind it and the page is not full. */
  readonly last: PageCursor | null;
}

/** How an order reads `artifact_audience`, which has an index for each. */
export interface Order extends SortKey {
  readonly name: string;
  readonly direction: RawBuilder<unknown>;
  readonly key: RawBuilder<string>;
  readonly keyForm: RegExp;
}

/** What a page is asked for. */
export interface ListQuery {
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
export async function look(
  { store }: Context,
  asked: ListQuery,
  after: PageCursor | null,
  count: number,
): Promise<Looked> {
  const { order, readers, places, wanted } = asked;
  const further = all([...places, ...behind(order, after, readers.length === 1)]);
  const { column, direction } = order;
  const sources = readers.map(
    (
      reader,
    ) => sql`(select listed.artifact_id, ${column} as sorted, listed.name, listed.user_id, listed.media_type
      from artifact_audience listed where listed.audience = ${reader} and ${further}
      order by ${column} ${direction}, listed.artifact_id ${direction} limit ${sql.lit(count)})`,
  );
  // Before anything is looked up: the filters ask for nothing but what the list itself has.
  const holds = all(wanted.map((filter) => filter.holds));
  const isEnd = sql`listed.place = ${sql.lit(count)}`;
  const rows = await readRows(store, asked, {
    source: sql.join(sources, sql` union all `),
    count,
    holds,
    isEnd,
  });
  const end = rows.at(-1);
  return {
    found: rows.filter(({ is_found }) => is_found),
    last: end?.is_end === true ? { key: end.key, id: end.listed_id } : null,
  };
}

/**
 * What the labels of the filters find, in any part of the list, and then in its order.
 * @param most rows, of which an artifact has some; null: all
 * @returns null where there are more
 */
export async function readLabelled(
  { store }: Context,
  asked: ListQuery,
  after: PageCursor | null,
  most: number | null,
): Promise<readonly Row[] | null> {
  const { order, size, readers, left, places, wanted } = asked;
  const { column, direction } = order;
  // Such that no other index fits: of one who sees much those of the audience alone read most of the list.
  const conditions = [
    sql`array[listed.audience] && ${unplanned(sql`array[${sql.join([...readers])}]::text[]`)}`,
    ...places,
    ...behind(order, after, true),
    ...wanted.flatMap(({ labelled, holds }) => [labelled, holds]),
  ];
  const labelled = sql`select listed.artifact_id, ${column} as sorted from artifact_audience listed
    where ${all(conditions)} limit ${most === null ? null : most + 1}::int`;
  // An artifact comes once for each reader at most.
  const next =
    left.length > 0
      ? sql``
      : sql`order by sorted ${direction}, artifact_id ${direction} limit ${sql.lit((size + 1) * readers.length)}`;
  const rows = await readRows(store, asked, {
    with: sql`labelled as materialized (${labelled}),`,
    source: sql`select * from labelled ${next}`,
    count: null,
    holds: sql`true`,
    isEnd: sql`(listed.place = 1 and (select count(*) from labelled) > ${most}::int)`,
  });
  return rows.some(({ is_end }) => is_end) ? null : rows.filter(({ is_found }) => is_found);
}

/** Rows of the merged list. */
interface Shown {
  /** What the source is of. */
  readonly with?: RawBuilder<unknown>;
  /** By `artifact_id`, and what they are `sorted` by; some of them several times. */
  readonly source: RawBuilder<unknown>;
  /** How many are looked at, in order; null: all. */
  readonly count: number | null;
  /** What is true of those that the filters want. */
  readonly holds: RawBuilder<unknown>;
  /** What is true of one that is told in any case. */
  readonly isEnd: RawBuilder<unknown>;
}

type ShownRow = Row & { readonly listed_id: string; readonly is_found: boolean; readonly is_end: boolean };

/** The rows of a page, and the one that `isEnd` is true of. */
async function readRows(
  { db }: Context["store"],
  { order, size, left }: ListQuery,
  { with: before = sql``, source, count, holds, isEnd }: Shown,
): Promise<readonly ShownRow[]> {
  const { direction, key } = order;
  const inOrder = sql`order by sorted ${direction}, artifact_id ${direction}`;
  // In order and no further than the page, also where filters leave out much. Where the artifact itself is asked it is
  // looked up by its id: a join might read the whole table instead.
  const one =
    left.length === 0
      ? sql`select ${holds} as is_found`
      : sql`select true as is_found from artifacts a where ${holds} and a.id = listed.artifact_id and ${all(left)} offset 0`;
  const { rows } = await sql<ShownRow>`
    with ${before} shown as materialized (
      select listed.artifact_id, ${key} as key, listed.place, one.is_found, ${isEnd} as is_end from (
        select *, row_number() over (${inOrder})::int as place from (
          select distinct on (sorted, artifact_id) * from (${source}) source
           ${inOrder} limit ${count === null ? sql`all` : sql.lit(count)}) listed
      ) listed left join lateral (${one}) one on true
       where one.is_found or ${isEnd}
       order by listed.sorted ${direction}, listed.artifact_id ${direction} limit ${sql.lit(size + 1)})
    select a.id, a.version_id, a.major_version, a.agent_id, agents.alias, a.interaction_id, a.filename, a.created_at,
           a.user_id, a.team_id, a.link_mode, a.organization_role, version.media_type, version.size, shown.key,
           case when creator.id is not null then json_build_object('id', creator.id, 'first_name', creator.first_name,
             'last_name', creator.last_name, 'email', creator.email, 'profile_picture', creator.profile_picture)
           end as creator, shown.artifact_id as listed_id, shown.is_end,
           (shown.is_found and a.removed_at is null and version.id is not null and agents.id is not null) is true as is_found
      from shown
      left join artifacts a on a.id = shown.artifact_id
      left join artifact_versions version on version.id = a.version_id
      left join agents on agents.id = a.agent_id
      left join users creator on creator.id = a.user_id
     order by shown.place ${onePlan}`.execute(db);
  return rows;
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

const behind = (order: Order, end: PageCursor | null, isUnplanned: boolean) =>
  end === null ? [] : [isBehind(order, end, isUnplanned)];
