import { sql } from "kysely";
import type { AgentSummary } from "../../contract/agents.ts";
import type { Caller } from "../areas/handler.ts";
import { ownedBy } from "../permission/owned.ts";
import type { Store } from "../store/store.ts";
import { loadPeople, type SummaryRow, showSummary } from "./agent-view.ts";

/** Bytes of agents in one read; a longer list is read piece by piece. */
const longest = 256 * 1024;
/** Agents that one read looks at. */
const mostRows = 1_000;

interface Row extends SummaryRow {
  /** Among the ids that were looked at, from 1. */
  readonly place: number;
  /** Agents that were there to be read; those that make it too long were left out. */
  readonly found: number;
}

/**
 * Agents by their ids as a list shows them (§2.10), as many as fit into one read, and always one where there is one. What is
 * retired by now, or out of the caller's sight, is left out.
 * @param ids in their order
 * @param from the place of the first one to be read, from 0
 * @returns and the place where the next read goes on; the length of `ids` at their end
 */
export async function readSummaries(
  store: Store,
  caller: Caller,
  ids: readonly string[],
  from: number,
): Promise<{ readonly agents: AgentSummary[]; readonly next: number }> {
  const looked = ids.slice(from, from + mostRows);
  // First by what is known without unpacking it: the length of texts, and how metadata lie.
  const { sql: text, parameters } = sql<Row>`
    select id, alias, owner_id, team_id, name, description, model_name, system_prompt, metadata, is_active, folder_id, version,
           created_at, place, found
      from (select few.*, sum(texts + octet_length(metadata::text)) over way as total
              from (select next.*, count(*) over ()::integer as found, row_number() over way as number,
                           sum(texts + pg_column_size(metadata)) over way as lying
                      from (select agents.*, place::integer,
                                   octet_length(concat(id, name, model_name)) + coalesce(octet_length(description), 0)
                                   + coalesce(octet_length(system_prompt), 0) as texts
                              from unnest(${looked}::text[]) with ordinality as looked (looked_id, place)
                              join agents on agents.id = looked_id
                             where is_active and ${ownedBy(caller)}) as next
                    window way as (order by place)) as few
             where lying <= ${longest} or number = 1
            window way as (order by place)) as counted
     where total <= ${longest} or number = 1
     order by place`.compile(store.db);
  const rows = await store.query<Row>({ text, values: [...parameters] });
  const people = await loadPeople(
    store.db,
    rows.map((row) => row.owner_id),
  );
  const last = rows.at(-1);
  const isCut = last !== undefined && rows.length < last.found;
  return {
    agents: rows.map((row) => showSummary(row, people)),
    next: from + (isCut ? last.place : looked.length),
  };
}
