import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { onePlan } from "../store/prepared.ts";
import { audiencesOf, readableArtifact } from "./artifact-rows.ts";
import type { Caller, Request } from "./handler.ts";
import { cutPage, firstWindow, keyTime, nextWindow, readCursor, timeKey, timeKeyForm } from "./page.ts";
import { timeOf } from "./times.ts";

type Query = Omit<Request<typeof endpoints.listArtifacts>["query"], "team_id">;

/** Which artifacts a list is about, beside what the caller may see; null: all. */
export interface ListScope {
  readonly agentId: string | null;
  readonly teamId: string | null;
}

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
  /** Whether the list goes on behind what was looked through. */
  readonly goesOn: boolean;
}

/** How an order reads `artifact_audience`, which has an index for each. */
interface Order {
  readonly name: string;
  readonly column: RawBuilder<unknown>;
  readonly direction: RawBuilder<unknown>;
  readonly than: RawBuilder<unknown>;
  readonly key: RawBuilder<string>;
  readonly keyForm: RegExp;
  after(key: string): RawBuilder<unknown>;
}

function orderOf(sort: NonNullable<Query["sort_order"]>): Order {
  const byName = sort === "name_asc" || sort === "name_desc";
  const falling = sort === "newest" || sort === "name_desc";
  const beginning = sql<string>`left(listed.name, 200)`;
  return {
    name: `artifacts:${sort}`,
    column: byName ? beginning : sql`listed.created_at`,
    direction: falling ? sql`desc` : sql`asc`,
    than: falling ? sql`<` : sql`>`,
    key: byName ? beginning : timeKey("listed.created_at"),
    keyForm: byName ? /^/ : timeKeyForm,
    after: (key) => (byName ? sql`${key}` : keyTime(key)),
  };
}

/**
 * One page of what the caller may see (§4.8). The audiences that the caller belongs to are read in the order of the list
 * and merged, no further than the page, so that it takes the same time however much there is. What filters leave out of
 * that is little, mostly; where it is not, what is left is found by an index of all that they may ask for.
 * @throws ServiceError `invalid_cursor`
 */
export async function listPage(context: Context, caller: Caller, query: Query, scope: ListScope) {
  const order = orderOf(query.sort_order ?? "newest");
  const size = query.page_size ?? 20;
  const cut = (rows: readonly Row[]) =>
    cutPage(rows, size, order.name, (row) => ({ key: row.key, id: row.id }));
  const asked = { order, size, caller, query, scope, filters: filters(query) };
  const left = leftOut(caller, query, scope);
  if (asked.filters.length === 0 && left.length === 0)
    return cut((await read(context, asked, size + 1, left)).found);
  // Beyond the largest window an index of what the filters want is quicker.
  for (let window: number | null = firstWindow; window !== null; ) {
    const { found, goesOn } = await read(context, asked, window, left);
    if (found.length > size || !goesOn) return cut(found);
    window = nextWindow(window, found.length, size);
  }
  return cut((await read(context, asked, null, left)).found);
}

interface Asked {
  readonly order: Order;
  readonly size: number;
  readonly caller: Caller;
  readonly query: Query;
  readonly scope: ListScope;
  readonly filters: readonly Filter[];
}

/**
 * @param window how many rows of the merged list are looked through; null: all that the labels find
 * @param conditions of the rows that are shown, beside the filters
 */
async function read(
  { store }: Context,
  { order, size, caller, query, scope, filters: wanted }: Asked,
  window: number | null,
  conditions: readonly RawBuilder<unknown>[],
): Promise<Looked> {
  const { column, direction, key } = order;
  const readers = readersOf(caller, query, scope);
  if (readers.length === 0) return { found: [], goesOn: false };
  const places = [...placesOf(query, scope), ...cursor(query, order)];
  const sorted = sql`order by ${column} ${direction}, listed.artifact_id ${direction}`;
  const fields = sql`listed.artifact_id, listed.created_at, listed.name, listed.user_id, listed.media_type,
                     ${column} as sorted`;
  const source =
    window === null
      ? sql`select ${fields} from artifact_audience listed where listed.audience = any(array[${sql.join([...readers])}]::text[])
              and ${all([...places, ...wanted.flatMap(({ labelled, holds }) => [labelled, holds])])}`
      : sql.join(
          readers.map(
            (reader) => sql`(select ${fields} from artifact_audience listed
              where listed.audience = ${reader} and ${all(places)} ${sorted} limit ${sql.lit(window)})`,
          ),
          sql` union all `,
        );
  // What follows leaves out none of these. Each is looked up by its id: a join might read the whole table instead.
  const enough = window ?? (conditions.length === 0 ? size + 1 : null);
  // Before anything is looked up: they ask for nothing but what the list itself has.
  const held = all(wanted.map(({ holds }) => holds));
  const isEnd = window === null ? sql`false` : sql`listed.place = ${sql.lit(window)}`;
  // The list is read in its order and no further than the page, also where filters leave out much of it.
  const { rows } = await sql<Row & { readonly is_found: boolean; readonly is_end: boolean }>`
    with shown as materialized (
      select listed.*, one.is_found, ${isEnd} as is_end from (
        select *, row_number() over (order by sorted ${direction}, artifact_id ${direction})::int as place from (
          select distinct on (sorted, artifact_id) * from (${source}) source
           order by sorted ${direction}, artifact_id ${direction} limit ${enough === null ? sql`all` : sql.lit(enough)}) listed
      ) listed left join lateral (
        select true as is_found from artifacts a
         where ${held} and a.id = listed.artifact_id and a.removed_at is null and ${all(conditions)} offset 0) one on true
       where one.is_found or ${isEnd}
       order by listed.sorted ${direction}, listed.artifact_id ${direction} limit ${sql.lit(size + 1)}
    )
    select a.id, a.version_id, a.major_version, a.agent_id, agents.alias, a.interaction_id, a.filename, a.created_at,
           a.user_id, a.team_id, a.link_mode, a.organization_role, version.media_type, version.size, ${key} as key,
           listed.is_end, (listed.is_found and version.id is not null and agents.id is not null) is true as is_found
      from shown listed
      left join artifacts a on a.id = listed.artifact_id
      left join artifact_versions version on version.id = a.version_id
      left join agents on agents.id = a.agent_id
     order by listed.sorted ${direction}, listed.artifact_id ${direction} ${window === null ? sql`` : onePlan}`.execute(
    store.db,
  );
  return { found: rows.filter(({ is_found }) => is_found), goesOn: rows.at(-1)?.is_end === true };
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
}

/** Whose rows are merged into the list. */
function readersOf(caller: Caller, query: Query, { teamId }: ListScope): readonly RawBuilder<string>[] {
  if (query.shared_by_me === true) {
    return caller.kind === "team" ? [] : [sql`${`sharer:${caller.userId}`}`];
  }
  if (query.shared_through_team === true) {
    return caller.kind === "team" ? [] : [sql`${`user:${caller.userId}`}`];
  }
  return teamId === null ? audiencesOf(caller) : [sql`${`team:${teamId}`}`];
}

/** What the audience's own indexes are for. */
function placesOf(query: Query, { agentId }: ListScope): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [];
  if (agentId !== null) found.push(sql`listed.agent_id = ${agentId}`);
  if (query.session_id !== undefined) found.push(sql`listed.interaction_id = ${query.session_id}`);
  if (query.created_after !== undefined) found.push(sql`listed.created_at >= ${timeOf(query.created_after)}`);
  if (query.created_before !== undefined)
    found.push(sql`listed.created_at < ${timeOf(query.created_before)}`);
  return found;
}

function cursor(query: Query, order: Order): RawBuilder<unknown>[] {
  if (query.cursor === undefined) return [];
  const end = readCursor(order.name, query.cursor, order.keyForm);
  const { column, than } = order;
  return [sql`(${column}, listed.artifact_id) ${than} (${order.after(end.key)}, ${end.id})`];
}

/** What is true of nearly all rows of the merged list. */
function leftOut(caller: Caller, query: Query, { teamId }: ListScope): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [];
  // The team's audience also has what was given to it.
  if (teamId !== null) found.push(sql`a.team_id = ${teamId}`);
  if (query.shared_through_team === true) {
    const own = caller.kind === "team" ? null : caller.userId;
    found.push(sql`a.team_id is not null and a.user_id = ${own}`);
  }
  // What one shared may have been taken away since.
  if (query.shared_by_me === true) {
    found.push(readableArtifact(caller, sql`a.id`));
  }
  return found;
}

/** A condition, and the labels without which it cannot hold, by which an index finds rows. */
interface Filter {
  readonly holds: RawBuilder<unknown>;
  readonly labelled: RawBuilder<unknown>;
}

const labels = sql`artifact_labels(listed.name, listed.media_type, listed.user_id)`;

function filters(query: Query): Filter[] {
  const found: Filter[] = [];
  if (query.creator !== undefined) {
    found.push({
      holds: sql`listed.user_id = ${query.creator}`,
      labelled: sql`${labels} @> ${[`by:${query.creator}`]}::text[]`,
    });
  }
  if (query.media_type !== undefined) {
    // `image/*` names all of a kind.
    const types = query.media_type.toLowerCase().split(",");
    const kinds = types.filter((type) => type.endsWith("/*")).map((type) => type.slice(0, -2));
    const either = [...types.map((type) => `type:${type}`), ...kinds.map((kind) => `kind:${kind}`)];
    found.push({
      holds: sql`(listed.media_type = any(${types}) or split_part(listed.media_type, '/', 1) = any(${kinds}))`,
      labelled: sql`${labels} && ${either}::text[]`,
    });
  }
  if (query.search_query !== undefined) {
    const part = sql`lower(${query.search_query}::text)`;
    found.push({
      holds: sql`strpos(listed.name, ${part}) > 0`,
      labelled: sql`${labels} @> artifact_labels_of_part(${part})`,
    });
  }
  return found;
}
