import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ExecutionState } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { fold, likePattern } from "./fold.ts";
import { type Matches, matchesIn } from "./matches.ts";
import { linePlace, messagePlaces, runPlaces } from "./places.ts";
import { type LineRange, type MessageKey, readKeyedMessages, readLines, readRuns } from "./read-texts.ts";
import { type SearchTable, walkBack } from "./walk.ts";

/** A run, or some lines of its log, that has what is searched for. */
export interface FoundRun extends Matches {
  readonly id: string;
  readonly name: string;
  readonly state: ExecutionState;
  readonly startedAt: Date | null;
  readonly endedAt: Date;
}

/** A message that has it. */
export interface FoundMessage extends Matches {
  readonly interactionId: string;
  /** Of the conversation. */
  readonly name: string;
  readonly agentId: string;
  readonly messageId: string;
  readonly endedAt: Date;
}

export interface Asked {
  /** As it was typed. */
  readonly text: string;
  /** Whose rows are looked at: `user ID`, `team ID`. */
  readonly readers: readonly string[];
  /** Who may see it is decided by this, as it is now; the readers only narrow. */
  readonly mayRead: RawBuilder<boolean>;
  /** Where the page before ended; null: at the newest. */
  readonly before: number | null;
  readonly size: number;
}

/** Newest first. */
export interface FoundPage<T> {
  readonly found: readonly T[];
  /** Where the next page begins; null where nothing is left. */
  readonly next: number | null;
  /** When the oldest ended that was looked at, where the time was up before the page was full. */
  readonly searchedTo: Date | null;
}

type Searched = Pick<Store, "db">;

/** Ended runs by what they say and log; `mayRead` is about `executions`. */
export async function findRuns(store: Searched, asked: Asked): Promise<FoundPage<FoundRun>> {
  const wanted = fold(asked.text).text;
  type Row = LineRange & { readonly ended_at: Date };
  const columns = sql`run_id, first_line, last_line, ended_at`;
  return await findPage<Row, FoundRun>(store, asked, { table: "search_runs", columns }, async (rows) => {
    const seen = await store.db
      .selectFrom("executions")
      .select(["id", "state", "started_at", sql<string>`coalesce(input ->> 'name', '')`.as("name")])
      .where("id", "in", [...new Set(rows.map(({ run_id }) => run_id))])
      .where(sql<SqlBool>`${asked.mayRead}`)
      .execute();
    const runs = new Map(seen.map((run) => [run.id, run]));
    const ranges = rows.filter(({ run_id }) => runs.has(run_id));
    const heads = ranges.filter(({ first_line }) => first_line === 1).map(({ run_id }) => run_id);
    const [texts, lines] = await Promise.all([readRuns(store.db, heads), readLines(store.db, ranges)]);
    return rows.map(({ run_id, first_line, last_line, ended_at }) => {
      const run = runs.get(run_id);
      if (run === undefined) return null;
      const head = first_line === 1 ? texts.get(run_id) : undefined;
      const own = lines.filter((l) => l.run_id === run_id && l.seq >= first_line && l.seq <= last_line);
      const places = [...(head === undefined ? [] : runPlaces(head)), ...own.map(linePlace)];
      const { id, name, state, started_at } = run;
      return { id, name, state, startedAt: started_at, endedAt: ended_at, ...matchesIn(places, wanted) };
    });
  });
}

/** Messages of turns that have ended, by all their parts; `mayRead` is about `interactions`. */
export async function findMessages(store: Searched, asked: Asked): Promise<FoundPage<FoundMessage>> {
  const wanted = fold(asked.text).text;
  type Row = MessageKey & { readonly ended_at: Date };
  const columns = sql`interaction_id, message_seq, ended_at`;
  return await findPage<Row, FoundMessage>(
    store,
    asked,
    { table: "search_messages", columns },
    async (rows) => {
      const seen = await store.db
        .selectFrom("interactions")
        .innerJoin("agents", "agents.id", "interactions.agent_id")
        .select(["interactions.id", "interactions.name"])
        .select(sql<string>`coalesce(agents.alias, agents.id)`.as("agent_id"))
        .where("interactions.id", "in", [...new Set(rows.map(({ interaction_id }) => interaction_id))])
        .where(sql<SqlBool>`${asked.mayRead}`)
        .execute();
      const talks = new Map(seen.map((talk) => [talk.id, talk]));
      const keyOf = ({ interaction_id, message_seq }: MessageKey) => `${interaction_id} ${message_seq}`;
      const wantedRows = rows.filter(({ interaction_id }) => talks.has(interaction_id));
      const read = await readKeyedMessages(store.db, wantedRows);
      const messages = new Map(read.map((message) => [keyOf(message), message]));
      return rows.map((row) => {
        const talk = talks.get(row.interaction_id);
        const message = messages.get(keyOf(row));
        if (talk === undefined || message === undefined) return null;
        return {
          ...{ interactionId: talk.id, name: talk.name, agentId: talk.agent_id },
          ...{ messageId: message.id, endedAt: row.ended_at },
          ...matchesIn(messagePlaces(message), wanted),
        };
      });
    },
  );
}

/** @param look gives what is found in each of some rows; null where nobody may see it, or it is gone */
async function findPage<Row, Found extends Matches>(
  store: Searched,
  { text, readers, before, size }: Asked,
  { table, columns }: { table: SearchTable; columns: RawBuilder<unknown> },
  look: (rows: readonly Row[]) => Promise<readonly (Found | null)[]>,
): Promise<FoundPage<Found>> {
  const found: Found[] = [];
  const walk = { table, readers, before, pattern: likePattern(fold(text).text) };
  let lookedTo = before === null ? null : before - 1;
  for await (const step of walkBack<Row>(store, walk, columns)) {
    for (let from = 0; from < step.rows.length; from += size) {
      const some = step.rows.slice(from, from + size);
      for (const [at, one] of (await look(some)).entries()) {
        if (one === null || one.count === 0) continue;
        found.push(one);
        const seq = some[at]?.seq ?? 1;
        if (found.length === size) return { found, next: seq > 1 ? seq : null, searchedTo: null };
      }
    }
    lookedTo = step.lookedTo;
  }
  if (lookedTo === null || lookedTo === 0) return { found, next: null, searchedTo: null };
  return { found, next: lookedTo + 1, searchedTo: await endOf(store, table, lookedTo) };
}

/** When the first thing after this row ended. */
async function endOf({ db }: Searched, table: SearchTable, row: number): Promise<Date | null> {
  const oldest = await db
    .selectFrom(table)
    .select("ended_at")
    .where("seq", ">", String(row))
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return oldest?.ended_at ?? null;
}

/** What ended before this is found; null before the first batch. */
export async function indexedUntil({ db }: Searched): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select case when isfinite(ended_at) then ended_at end as until from search_progress`.execute(db);
  return rows[0]?.until ?? null;
}
