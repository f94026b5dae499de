import { type RawBuilder, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { audiencesOf } from "./artifact-rows.ts";
import type { Caller, Request } from "./handler.ts";
import { cutPage, keyTime, readCursor, timeKey, timeKeyForm } from "./page.ts";

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
}

type Row = ListedArtifact & { readonly key: string };

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
 * One page of what the caller may see (§4.8). Each audience that the caller belongs to is read in the order of the list
 * and no further than the page, so that it takes the same time however much there is.
 * @throws ServiceError `invalid_cursor`
 */
export async function listPage({ store }: Context, caller: Caller, query: Query, scope: ListScope) {
  const order = orderOf(query.sort_order ?? "newest");
  const size = query.page_size ?? 20;
  const mine = audiencesOf(caller);
  const sharer = caller.kind === "team" ? [] : [`sharer:${caller.userId}`];
  const read = query.shared_by_me === true ? sql`${sharer}::text[]` : mine;
  const conditions = [...filters(query, scope), ...cursor(query, order)];
  // What one shared may have been taken away since.
  if (query.shared_by_me === true) {
    conditions.push(sql`exists (select from artifact_audience seen
      where seen.artifact_id = listed.artifact_id and seen.audience = any(${mine}))`);
  }
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const { column, direction, key } = order;
  const { rows } = await sql<Row>`
    select distinct on (sorted, page.id) page.*
      from unnest(${read}) reader (audience)
     cross join lateral (
       select a.id, a.version_id, a.major_version, a.agent_id, agents.alias, a.interaction_id, a.filename, a.created_at,
              a.user_id, a.link_mode, a.organization_role, version.media_type, version.size,
              ${key} as key, ${column} as sorted
         from artifact_audience listed
         join artifacts a on a.id = listed.artifact_id and a.removed_at is null
         join artifact_versions version on version.id = a.version_id
         join agents on agents.id = a.agent_id
        where listed.audience = reader.audience and ${where}
        order by ${column} ${direction}, listed.artifact_id ${direction}
        limit ${size + 1}
     ) page
     order by sorted ${direction}, page.id ${direction}
     limit ${size + 1}`.execute(store.db);
  return cutPage(rows, size, order.name, (row) => ({ key: row.key, id: row.id }));
}

function cursor(query: Query, order: Order): RawBuilder<unknown>[] {
  if (query.cursor === undefined) return [];
  const end = readCursor(order.name, query.cursor, order.keyForm);
  const { column, than } = order;
  return [sql`(${column}, listed.artifact_id) ${than} (${order.after(end.key)}, ${end.id})`];
}

function filters(query: Query, { agentId, teamId }: ListScope): RawBuilder<unknown>[] {
  const found: RawBuilder<unknown>[] = [];
  if (agentId !== null) found.push(sql`listed.agent_id = ${agentId}`);
  if (teamId !== null) found.push(sql`a.team_id = ${teamId}`);
  if (query.session_id !== undefined) found.push(sql`a.interaction_id = ${query.session_id}`);
  if (query.creator !== undefined) found.push(sql`a.user_id = ${query.creator}`);
  if (query.created_after !== undefined) found.push(sql`listed.created_at >= ${query.created_after}`);
  if (query.created_before !== undefined) found.push(sql`listed.created_at < ${query.created_before}`);
  if (query.media_type !== undefined) found.push(ofTypes(query.media_type.toLowerCase().split(",")));
  if (query.search_query !== undefined) {
    const part = sql`lower(${query.search_query}::text)`;
    found.push(sql`strpos(listed.name, ${part}) > 0`);
  }
  return found;
}

/** `image/*` names all of a kind. */
function ofTypes(types: readonly string[]): RawBuilder<unknown> {
  const kinds = types.filter((type) => type.endsWith("/*")).map((type) => type.slice(0, -2));
  return sql`(split_part(lower(version.media_type), ';', 1) = any(${types})
    or split_part(lower(version.media_type), '/', 1) = any(${kinds}))`;
}
