import { sql } from "kysely";
import type { listAgents } from "../../contract/agents.ts";
import type { AgentRow } from "../agents/agent-rows.ts";
import { loadPeople, showSummary } from "../agents/agent-view.ts";
import { teamScope } from "../permission/actor.ts";
import { ownedBy } from "../permission/owned.ts";
import { toJson } from "../store/json.ts";
import type { Handler } from "./handler.ts";
import { cutPage, keyTime, readCursor, timeKey, timeKeyForm } from "./page.ts";

/** §4.15, and docs/interface.md, "Agent". Retired agents are left out (§3.4). */
export const listAgentsHandler: Handler<typeof listAgents> = async (context, { caller, query }) => {
  const { db } = context.store;
  const order = query.sort_order ?? "newest";
  const list = `agents:${order}`;
  const byName = order === "name_asc" || order === "name_desc";
  const key = byName ? sql<string>`lower(name)` : timeKey("created_at");
  const direction = order === "newest" || order === "name_desc" ? "desc" : "asc";
  let rows = db
    .selectFrom("agents")
    .selectAll()
    .select(key.as("key"))
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
  rows = rows.orderBy(byName ? sql`lower(name)` : "created_at", direction).orderBy("id", direction);
  const whole = query.page_size === undefined && query.cursor === undefined;
  const size = query.page_size ?? 20;
  const found = await (whole ? rows : rows.limit(size + 1)).execute();
  const page = cutPage(found, whole ? found.length : size, list, endOf);
  const people = await loadPeople(
    db,
    page.rows.map((row) => row.owner_id),
  );
  const agents = page.rows.map((row) => showSummary(row, people));
  return { type: "body", body: { agents, next_cursor: page.next_cursor } };
};

function endOf(row: AgentRow & { readonly key: string }) {
  return { key: row.key, id: row.id };
}

function usesTool(tool: { readonly [key: string]: string }) {
  return sql<boolean>`tools @> ${toJson([tool])}::jsonb`;
}
