import { sql } from "kysely";
import type { AgentSummary } from "../../contract/agents.ts";
import type { Caller } from "../areas/handler.ts";
import { ownedBy } from "../permission/owned.ts";
import { readFitting } from "../store/read-fitting.ts";
import type { Store } from "../store/store.ts";
import { loadPeople, type SummaryRow, showSummary } from "./agent-view.ts";

/**
 * Agents by their ids as a list shows them (§2.10), as many as fit into one read. What is retired by now, or out of the
 * caller's sight, or of another team, is left out.
 * @param teamId whose agents are listed; null: those of all teams, and people's
 * @param ids in their order
 * @param from the place of the first one to be read, from 0
 * @returns and the place where the next read goes on; the length of `ids` at their end
 */
export async function readSummaries(
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
