import { sql } from "kysely";
import type { AgentSummary, listAgents } from "../../contract/agents.ts";
import { loadPeople, type SummaryRow, showSummary } from "../agents/agent-view.ts";
import { teamScope } from "../permission/actor.ts";
import { ownedBy } from "../permission/owned.ts";
import { toJson } from "../store/json.ts";
import { readFitting } from "../store/read-fitting.ts";
import type { Store } from "../store/store.ts";
import type { Caller, Handler } from "./handler.ts";
import { replyWithList } from "./long-list.ts";
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
    // By the database alone: of some letters, such as the last sigma of a word, it makes another small one than we do.
    const part = sql`lower(${query.search}::text)`;
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
    const { rows: shown, next_cursor } = cutPage(found, whole ? found.length : size, list, (row) => row);
    return { ids: shown.map(({ id }) => id), marks: shown.map(({ mark }) => mark), next_cursor };
  };
  const agents = await replyWithList({
    name: "agents",
    ifNoneMatch,
    readPage,
    readItems: ({ ids }, from) => readSummaries(store, caller, teamId, ids, from),
    readMarks: async ({ marks }) => marks,
  });
  if (agents.type !== "whole") return agents;
  return { type: "body", body: { agents: agents.items, next_cursor: agents.page.next_cursor } };
};

function usesTool(tool: { readonly [key: string]: string }) {
  return sql<boolean>`tools @> ${toJson([tool])}::jsonb`;
}

/**
 * Agents by their ids as a list shows them (§2.10), as many as fit into one read. What is retired by now, or out of the
 * caller's sight, or of another team, is left out.
 * @param teamId whose agents are listed; null: those of all teams, and people's
 * @param ids in their order
 * @param from the place of the first one to be read, from 0
 * @returns and the place where the next read goes on; the length of `ids` at their end
 */
async function readSummaries(
  store: Store,
  caller: Caller,
  teamId: string | null,
  ids: readonly string[],
  from: number,
): Promise<{ readonly items: AgentSummary[]; readonly next: number }> {
  const { rows, next } = await readFitting<SummaryRow>(store, ids, from, (looked) => ({
    rows: sql`
      select id, alias, owner_id, team_id, name, description, model_name, system_prompt, metadata, is_active, folder_id,
             version, created_at, place::integer,
             octet_length(concat(id, name, model_name)) + coalesce(octet_length(description), 0)
             + coalesce(octet_length(system_prompt), 0) as texts
        from ${looked} join agents on agents.id = looked_id
       where is_active and ${ownedBy(caller)} and ${teamId === null ? sql`true` : sql`team_id = ${teamId}`}`,
    packed: ["metadata"],
  }));
  const people = await loadPeople(
    store.db,
    rows.map((row) => row.owner_id),
  );
  return { items: rows.map((row) => showSummary(row, people)), next };
}
