import { sql } from "kysely";
import type { Context } from "../context.ts";
import { teamsOf } from "../permission/actor.ts";
import { ownedBy } from "../permission/owned.ts";
import { fold } from "../search/fold.ts";
import { type Matches, matchesIn } from "../search/matches.ts";
import { listPage } from "./artifact-list.ts";
import type { Caller } from "./handler.ts";
import { timeKey } from "./page.ts";

/** What is found by what it is called, newest first. */
export interface FoundNamed extends Matches {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Of an artifact. */
  readonly agentId: string | null;
}

export interface NamesAsked {
  readonly text: string;
  /** Null: all that the caller may see. */
  readonly teamId: string | null;
  /** Where the page before ended. */
  readonly after: string | null;
  readonly size: number;
}

export interface NamesPage {
  readonly found: readonly FoundNamed[];
  readonly next: string | null;
}

/** Nobody has so many agents or flows that reading all of them takes long; more than these are not looked at. */
const mostNamed = 5_000;

/** The caller's agents that are active, by name, description and instructions. */
export async function findAgents({ store }: Context, caller: Caller, asked: NamesAsked): Promise<NamesPage> {
  let rows = store.db
    .selectFrom("agents")
    .select(["name", "description", "system_prompt", "created_at", timeKey("created_at").as("key")])
    .select(sql<string>`coalesce(alias, id)`.as("id"))
    .where(ownedBy(caller))
    .where("is_active", "=", true)
    .orderBy("created_at", "desc")
    .orderBy(sql`coalesce(alias, id) collate "C"`, "desc")
    .limit(mostNamed);
  if (asked.teamId !== null) rows = rows.where("team_id", "=", asked.teamId);
  const agents = await rows.execute();
  return cut(agents, asked, ({ name, description, system_prompt }) => [
    { in: "name", text: name },
    { in: "description", text: description ?? "" },
    { in: "instructions", text: system_prompt ?? "" },
  ]);
}

/** The flows that the caller may start as itself, by name and description. */
export async function findFlows({ store }: Context, caller: Caller, asked: NamesAsked): Promise<NamesPage> {
  const teams = asked.teamId === null ? [...teamsOf(caller)] : [asked.teamId];
  const own = asked.teamId === null && caller.kind !== "team" ? caller.userId : null;
  const flows = await store.db
    .selectFrom("saved_items")
    .select(["id", "name", "description", "created_at", timeKey("created_at").as("key")])
    .where("removed_at", "is", null)
    .where(sql<boolean>`(team_id = any(${teams}::text[]) or (team_id is null and user_id = ${own}::text))`)
    .orderBy("created_at", "desc")
    .orderBy(sql`id collate "C"`, "desc")
    .limit(mostNamed)
    .execute();
  return cut(flows, asked, ({ name, description }) => [
    { in: "name", text: name },
    { in: "description", text: description },
  ]);
}

/** Artifacts by file name, as `GET /artifacts` finds them. */
export async function findArtifacts(
  context: Context,
  caller: Caller,
  { text, teamId, after, size }: NamesAsked,
): Promise<NamesPage> {
  const query = { search_query: text, page_size: size, ...(after !== null && { cursor: after }) };
  const page = await listPage(context, caller, query, { agentId: null, teamId });
  const wanted = fold(text).text;
  const found = page.rows.map(({ id, filename, created_at, alias, agent_id }) => ({
    ...{ id, name: filename, createdAt: created_at, agentId: alias ?? agent_id },
    ...matchesIn([{ in: "name", text: filename }], wanted),
  }));
  return { found: found.filter(({ count }) => count > 0), next: page.next_cursor };
}

interface NamedRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  /** Of its time, to the microsecond. */
  readonly key: string;
}

/** One page of those that have it. */
function cut<T extends NamedRow>(
  rows: readonly T[],
  { text, after, size }: NamesAsked,
  placesOf: (row: T) => Parameters<typeof matchesIn>[0],
): NamesPage {
  const wanted = fold(text).text;
  const found: (FoundNamed & { readonly place: string })[] = [];
  for (const row of rows) {
    if (after !== null && !isBefore(row, after)) continue;
    const matches = matchesIn(placesOf(row), wanted);
    if (matches.count === 0) continue;
    if (found.length === size) return { found, next: found.at(-1)?.place ?? null };
    const { id, name, created_at, key } = row;
    found.push({ id, name, createdAt: created_at, agentId: null, place: `${key} ${id}`, ...matches });
  }
  return { found, next: null };
}

/** Whether it comes after that place in the list, in which newer ones come first; ids as the queries order them, by their characters. */
function isBefore({ key, id }: NamedRow, place: string): boolean {
  const [time = "", ...rest] = place.split(" ");
  const difference = Number(key) - Number(time);
  return difference < 0 || (difference === 0 && id < rest.join(" "));
}
