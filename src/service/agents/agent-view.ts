import type { Kysely, Selectable } from "kysely";
import type { Agent, AgentSummary } from "../../contract/agents.ts";
import { anyIn } from "../store/prepared.ts";
import type { Database, UsersTable } from "../store/schema.ts";
import { type AgentRow, shownId } from "./agent-rows.ts";

export type PersonRow = Selectable<UsersTable>;

/** A person as answers show one (§2.3 `creator`). */
export type Person = Pick<PersonRow, "id" | "first_name" | "last_name" | "email" | "profile_picture">;

/** What answers show of a person. */
export function showPerson(row: PersonRow): Person {
  const { id, first_name, last_name, email, profile_picture } = row;
  return { id, first_name, last_name, email, profile_picture };
}

/** The people with these ids, by id. Unknown ids and null are left out. */
export async function loadPeople(
  db: Kysely<Database>,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, PersonRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await db.selectFrom("users").selectAll().where("id", "=", anyIn(wanted)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The columns that a list shows, of `AgentRow`. */
export type SummaryRow = Omit<AgentRow, "tools" | "resources" | "updated_at">;

/** An agent in a list (§2.10). */
export function showSummary(row: SummaryRow, people: ReadonlyMap<string, PersonRow>): AgentSummary {
  const creator = people.get(row.owner_id);
  return {
    id: shownId(row),
    name: row.name,
    description: row.description,
    team_id: row.team_id,
    is_active: row.is_active,
    model_name: row.model_name,
    system_prompt: row.system_prompt,
    metadata: row.metadata,
    folder_id: row.folder_id,
    created_at: row.created_at.toISOString(),
    // This service has no triggers.
    active_trigger_count: 0,
    creator: creator === undefined ? null : showPerson(creator),
    version: row.version,
  };
}

/** An agent with its whole configuration (§2.10). */
export async function showAgent(db: Kysely<Database>, row: AgentRow): Promise<Agent> {
  const summary = showSummary(row, await loadPeople(db, [row.owner_id]));
  return { ...summary, tools: objects(row.tools), resources: objects(row.resources) };
}

/** Tools and resources are lists of objects; only those were ever stored. */
function objects(list: readonly unknown[]): Record<string, unknown>[] {
  return list.filter((item) => typeof item === "object" && item !== null).map((item) => ({ ...item }));
}
