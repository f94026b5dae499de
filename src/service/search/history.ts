import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ExecutionState } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { fold, likePattern } from "./fold.ts";
import { groupBy, inGroups } from "./group-by.ts";
import { type Matches, matchesIn } from "./matches.ts";
import { linePlace, messagePlaces, runPlaces } from "./places.ts";
import { type MessageKey, readKeyedMessages, readLines, readRuns } from "./read-texts.ts";
import { type Candidate, type SearchedKind, walkBack } from "./walk.ts";

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

/** What is searched for, and where. */
export interface HistoryQuery {
  /** As it was typed. */
  readonly text: string;
  /** Whose blocks are looked at: of this person, and of these teams. */
  readonly userId: string | null;
  readonly teamIds: readonly string[];
  /** Who may see it is decided by this, as it is now; the blocks only narrow. */
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

/** Candidates that are looked at together: most of what a block finds is in one of its members alone. */
const lookedAtOnce = 64;
/** Characters of inputs and outputs of theirs in memory at a time; of one alone there may be more. */
const valuesAtOnce = 4_000_000;
/** So long one search looks through what the index says, in ms: it is long texts that take so long. */
const lookMs = 3_000;

/** What is in one of some candidates; `number`: its place in the order. */
interface Looked<Found> {
  readonly number: number;
  readonly found: Found;
}

/** Ended runs by what they say and log; `mayRead` is about `executions`. */
export async function findRuns(store: Searched, query: HistoryQuery): Promise<FoundPage<FoundRun>> {
  const wanted = fold(query.text).text;
  return await findPage<FoundRun>(store, query, "pipeline", async function* (candidates) {
    const seen = await store.db
      .selectFrom("executions")
      .select(["id", "state", "started_at", "finished_at", "log_count"])
      .select(sql<number>`octet_length(input::text) + coalesce(octet_length(result::text), 0)`.as("size"))
      .select(sql<string>`coalesce(input ->> 'name', '')`.as("name"))
      .where("id", "in", [...new Set(candidates.map(({ id }) => id))])
      .where(sql<SqlBool>`${query.mayRead}`)
      .execute();
    const runs = new Map(seen.map((run) => [run.id, run]));
    const ranges = candidates.flatMap(({ id, number, lines }) => {
      const run = runs.get(id);
      if (run === undefined) return [];
      const [first_line, last_line] = lines ?? [1, run.log_count];
      return { run_id: id, first_line, last_line, number, size: first_line === 1 ? run.size : 0 };
    });
    for (const some of inGroups(ranges, valuesAtOnce)) {
      const heads = some.filter(({ first_line }) => first_line === 1).map(({ run_id }) => run_id);
      const [texts, lines] = await Promise.all([readRuns(store.db, heads), readLines(store.db, some)]);
      const logs = groupBy(lines, ({ run_id }) => run_id);
      for (const { run_id, first_line, last_line, number } of some) {
        const run = runs.get(run_id);
        if (run === undefined || run.finished_at === null) continue;
        const head = first_line === 1 ? texts.get(run_id) : undefined;
        const own = (logs.get(run_id) ?? []).filter(({ seq }) => seq >= first_line && seq <= last_line);
        const places = [...(head === undefined ? [] : runPlaces(head)), ...own.map(linePlace)];
        const { id, name, state, started_at: startedAt, finished_at: endedAt } = run;
        const found = { id, name, state, startedAt, endedAt, ...(await matchesIn(places, wanted)) };
        yield { number, found };
      }
    }
  });
}

/** Messages of turns that have ended, by all their parts; `mayRead` is about `interactions`. */
export async function findMessages(store: Searched, query: HistoryQuery): Promise<FoundPage<FoundMessage>> {
  const wanted = fold(query.text).text;
  return await findPage<FoundMessage>(store, query, "turn", async function* (candidates) {
    const seen = await store.db
      .selectFrom("executions")
      .innerJoin("interactions", "interactions.id", "executions.subject_id")
      .innerJoin("agents", "agents.id", "interactions.agent_id")
      .select(["executions.id", "executions.finished_at", "interactions.name"])
      .select("interactions.id as interaction_id")
      .select(sql<number>`(executions.input ->> 'messageSeq')::integer`.as("question"))
      .select(sql<string>`coalesce(agents.alias, agents.id)`.as("agent_id"))
      .where("executions.id", "in", [...new Set(candidates.map(({ id }) => id))])
      .where(sql<SqlBool>`${query.mayRead}`)
      .execute();
    const turns = new Map(seen.map((turn) => [turn.id, turn]));
    const wantedTurns = candidates.flatMap(({ id, number, isQuestion }) => {
      const turn = turns.get(id);
      if (turn === undefined) return [];
      return { ...turn, number, message_seq: isQuestion ? turn.question : turn.question + 1 };
    });
    const keyOf = ({ interaction_id, message_seq }: MessageKey) => `${interaction_id} ${message_seq}`;
    const read = await readKeyedMessages(store.db, wantedTurns);
    const messages = new Map(read.map((message) => [keyOf(message), message]));
    for (const turn of wantedTurns) {
      const message = messages.get(keyOf(turn));
      if (message === undefined || turn.finished_at === null) continue;
      const found = {
        ...{ interactionId: turn.interaction_id, name: turn.name, agentId: turn.agent_id },
        ...{ messageId: message.id, endedAt: turn.finished_at },
        ...(await matchesIn(messagePlaces(message), wanted)),
      };
      yield { number: turn.number, found };
    }
  });
}

/** @param look gives what is in each of some candidates, in their order; not those that nobody may see, or that are gone */
async function findPage<Found extends Matches>(
  store: Searched,
  { text, userId, teamIds, before, size }: HistoryQuery,
  kind: SearchedKind,
  look: (candidates: readonly Candidate[]) => AsyncIterable<Looked<Found>>,
): Promise<FoundPage<Found>> {
  const all: Found[] = [];
  const lookUntil = performance.now() + lookMs;
  const walk = { kind, userId, teamIds, before, pattern: likePattern(fold(text).text) };
  let lookedTo = before === null ? null : before - 1;
  for await (const batch of walkBack(store, walk)) {
    for (let from = 0; from < batch.candidates.length; from += lookedAtOnce) {
      for await (const { number, found } of look(batch.candidates.slice(from, from + lookedAtOnce))) {
        const next = number > 1 ? number : null;
        if (found.count > 0) all.push(found);
        if (all.length === size) return { found: all, next, searchedTo: null };
        if (performance.now() > lookUntil && next !== null)
          return { found: all, next, searchedTo: await endOf(store, number - 1) };
      }
    }
    lookedTo = batch.lookedTo;
  }
  if (lookedTo === null || lookedTo === 0) return { found: all, next: null, searchedTo: null };
  return { found: all, next: lookedTo + 1, searchedTo: await endOf(store, lookedTo) };
}

/** When the newest ended of the first block after this place. */
async function endOf({ db }: Searched, place: number): Promise<Date | null> {
  const oldest = await db
    .selectFrom("search_blocks")
    .select("ended_at")
    .where("number", ">", String(place))
    .orderBy("number")
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
