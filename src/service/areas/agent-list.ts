import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { listAgents } from "../../contract/agents.ts";
import { readSummaries } from "../agents/agent-summaries.ts";
import { teamScope } from "../permission/actor.ts";
import { ownedBy } from "../permission/owned.ts";
import { toJson } from "../store/json.ts";
import type { Store } from "../store/store.ts";
import type { Caller, Handler } from "./handler.ts";
import { isFresh } from "./interactions.ts";
import { cutPage, keyTime, readCursor, timeKey, timeKeyForm } from "./page.ts";

/** Changes with each change of an agent's row, and of its owner's. */
const mark = sql<string>`concat_ws('.', version, xmin, (select xmin from users where users.id = owner_id))`;

/** §4.15, and docs/interface.md, "Agent". Retired agents are left out (§3.4). */
export const listAgentsHandler: Handler<typeof listAgents> = async (context, request) => {
  const { caller, query, ifNoneMatch } = request;
  const { store } = context;
  const order = query.sort_order ?? "newest";
  const list = `agents:${order}`;
  const byName = order === "name_asc" || order === "name_desc";
  const key = byName ? sql<string>`lower(name)` : timeKey("created_at");
  const direction = order === "newest" || order === "name_desc" ? "desc" : "asc";
  let rows = store.db
    .selectFrom("agents")
    .select(["id", key.as("key"), mark.as("mark")])
    .where(ownedBy(caller))
    .where("is_active", "=", true);
  const teamId = teamScope(caller, query.team_id);
  if (teamId !== null) rows = rows.where("team_id", "=", teamId);
  if (query.search !== undefined) {
    const part = query.search.toLowerCase();
    rows = rows.where(sql<boolean>`strpos(lower(name || ' ' || coalesce(description, '')), ${part}) > 0`);
  }
  if (query.creator !== undefined) rows = rows.where("owner_id", "=", query.creator);
  if (query.tool !== undefined) rows = rows.where(usesTool({ server_id: query.tool }));
  if (query.flow !== undefined) rows = rows.where(usesTool({ type: "flow", saved_item_id: query.flow }));
  if (query.has_triggers === true) rows = rows.where(sql<boolean>`false`);
  if (query.cursor !== undefined) {
    const end = readCursor(list, query.cursor, byName ? /^/ : timeKeyForm);
    const after = byName ? sql`${end.key}` : keyTime(end.key);
    const column = byName ? sql`lower(name)` : sql`created_at`;
    const than = sql.raw(direction === "desc" ? "<" : ">");
    rows = rows.where(sql<boolean>`(${column}, id) ${than} (${after}, ${end.id})`);
  }
  const sorted = rows.orderBy(byName ? sql`lower(name)` : "created_at", direction).orderBy("id", direction);
  const whole = query.page_size === undefined && query.cursor === undefined;
  const size = query.page_size ?? 20;
  const readPage = async () => {
    const found = await (whole ? sorted : sorted.limit(size + 1)).execute();
    return cutPage(found, whole ? found.length : size, list, ({ key, id }) => ({ key, id }));
  };
  const page = await readPage();
  const { agents, next } = await readSummaries(store, caller, idsOf(page), 0);
  if (next === page.rows.length) return { type: "body", body: { agents, next_cursor: page.next_cursor } };
  const etag = tagOf(page);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  return { type: "pieces", pieces: listPieces(store, caller, readPage), etag };
};

interface Page {
  readonly rows: readonly { readonly id: string; readonly mark: string }[];
  readonly next_cursor: string | null;
}

const idsOf = ({ rows }: Page) => rows.map(({ id }) => id);

/** Of what is shown: another one with each change of an agent or of whoever made it. */
function tagOf({ rows, next_cursor }: Page): string {
  const hash = createHash("sha256");
  for (const { id, mark } of rows) hash.update(`${id} ${mark} `);
  return hash
    .update(next_cursor ?? "")
    .digest("base64url")
    .slice(0, 22);
}

/** A long list as JSON text. @param readPage what is in it; asked for when it begins, as it may wait for long until then */
async function* listPieces(
  store: Store,
  caller: Caller,
  readPage: () => Promise<Page>,
): AsyncGenerator<string> {
  const page = await readPage();
  const ids = idsOf(page);
  yield `{"next_cursor":${JSON.stringify(page.next_cursor)},"agents":[`;
  let isFirst = true;
  for (let at = 0; at < ids.length; ) {
    const { agents, next } = await readSummaries(store, caller, ids, at);
    at = next;
    if (agents.length === 0) continue;
    yield (isFirst ? "" : ",") + JSON.stringify(agents).slice(1, -1);
    isFirst = false;
  }
  yield "]}";
}

function usesTool(tool: { readonly [key: string]: string }) {
  return sql<boolean>`tools @> ${toJson([tool])}::jsonb`;
}
