import { type RawBuilder, sql } from "kysely";
import type { Context } from "../context.ts";
import { teamsOf } from "../permission/actor.ts";
import { ownedBy } from "../permission/owned.ts";
import { fold } from "../search/fold.ts";
import { type Matches, matchesIn } from "../search/matches.ts";
import { readFitting } from "../store/read-fitting.ts";
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

export interface NamesQuery {
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
export async function findAgents({ store }: Context, caller: Caller, query: NamesQuery): Promise<NamesPage> {
  let rows = store.db
    .selectFrom("agents")
    .select(["id as row", timeKey("created_at").as("key")])
    .select(sql<string>`coalesce(alias, id)`.as("id"))
    .where(ownedBy(caller))
    .where("is_active", "=", true)
    .orderBy("created_at", "desc")
    .orderBy(sql`coalesce(alias, id) collate "C"`, "desc")
    .limit(mostNamed);
  if (query.teamId !== null) rows = rows.where("team_id", "=", query.teamId);
  const texts = (looked: RawBuilder<unknown>) => ({
    rows: sql`
      select id as row, place::integer, name, description, system_prompt, created_at,
             octet_length(name) + coalesce(octet_length(description), 0) + coalesce(octet_length(system_prompt), 0) as texts
        from ${looked} join agents on agents.id = looked_id
       where is_active and ${ownedBy(caller)}`,
    packed: [],
  });
  return await look(store, query, await rows.execute(), texts);
}

/** The flows that the caller may start as itself, by name and description. */
export async function findFlows({ store }: Context, caller: Caller, query: NamesQuery): Promise<NamesPage> {
  const teams = query.teamId === null ? [...teamsOf(caller)] : [query.teamId];
  const own = query.teamId === null && caller.kind !== "team" ? caller.userId : null;
  const isTheirs = sql<boolean>`(removed_at is null
    and (team_id = any(${teams}::text[]) or (team_id is null and user_id = ${own}::text)))`;
  const flows = await store.db
    .selectFrom("saved_items")
    .select(["id as row", "id", timeKey("created_at").as("key")])
    .where(isTheirs)
    .orderBy("created_at", "desc")
    .orderBy(sql`id collate "C"`, "desc")
    .limit(mostNamed)
    .execute();
  const texts = (looked: RawBuilder<unknown>) => ({
    rows: sql`
      select id as row, place::integer, name, description, null as system_prompt, created_at,
             octet_length(name) + coalesce(octet_length(description), 0) as texts
        from ${looked} join saved_items on saved_items.id = looked_id
       where ${isTheirs}`,
    packed: [],
  });
  return await look(store, query, flows, texts);
}

/** Artifacts by file name, as `GET /artifacts` finds them. */
export async function findArtifacts(
  context: Context,
  caller: Caller,
  { text, teamId, after, size }: NamesQuery,
): Promise<NamesPage> {
  const query = { search_query: text, page_size: size, ...(after !== null && { cursor: after }) };
  const page = await listPage(context, caller, query, { agentId: null, teamId });
  const wanted = fold(text).text;
  const found: FoundNamed[] = [];
  for (const { id, filename, created_at, alias, agent_id } of page.rows) {
    const matches = await matchesIn([{ in: "name", text: filename }], wanted);
    const named = { id, name: filename, createdAt: created_at, agentId: alias ?? agent_id };
    if (matches.count > 0) found.push({ ...named, ...matches });
  }
  return { found, next: page.next_cursor };
}

/** Where one stands in the list. */
interface NamedPlace {
  /** Of its row. */
  readonly row: string;
  /** As it is shown. */
  readonly id: string;
  /** Of its time, to the microsecond. */
  readonly key: string;
}

type NamedTexts = {
  readonly row: string;
  readonly name: string;
  readonly description: string | null;
  readonly system_prompt: string | null;
  readonly created_at: Date;
};

/** So long one search looks through them, in ms; instructions are long, and there may be thousands. */
const lookMs = 3_000;

/** One page of those that have it, of which no more is read at a time than fits into one read. */
async function look(
  store: Context["store"],
  { text, after, size }: NamesQuery,
  all: readonly NamedPlace[],
  texts: Parameters<typeof readFitting>[3],
): Promise<NamesPage> {
  const wanted = fold(text).text;
  const until = performance.now() + lookMs;
  const places = new Map(
    all.filter((one) => after === null || isBefore(one, after)).map((one) => [one.row, one]),
  );
  const ids = [...places.keys()];
  const found: FoundNamed[] = [];
  let last: string | null = null;
  for (let from = 0; from < ids.length; ) {
    const { rows, next } = await readFitting<NamedTexts>(store, ids, from, texts);
    for (const { row, name, description, system_prompt, created_at } of rows) {
      const { id = row, key = "" } = places.get(row) ?? {};
      const matches = await matchesIn(
        [
          { in: "name", text: name },
          { in: "description", text: description ?? "" },
          { in: "instructions", text: system_prompt ?? "" },
        ],
        wanted,
      );
      if (matches.count > 0 && found.length === size) return { found, next: last };
      if (matches.count > 0) found.push({ id, name, createdAt: created_at, agentId: null, ...matches });
      last = `${key} ${id}`;
      if (performance.now() > until) return { found, next: last };
    }
    from = next;
  }
  return { found, next: null };
}

/** Whether it comes after that place in the list, in which newer ones come first; ids as the queries order them, by their characters. */
function isBefore({ key, id }: NamedPlace, place: string): boolean {
  const [time = "", ...rest] = place.split(" ");
  const difference = Number(key) - Number(time);
  return difference < 0 || (difference === 0 && id < rest.join(" "));
}
