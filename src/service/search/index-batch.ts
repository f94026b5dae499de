import { sql } from "kysely";
import type { Store, Tx } from "../store/store.ts";
import { asciiOf, fold } from "./fold.ts";
import { linePlace, messagePlaces, type Place, runPlaces } from "./places.ts";
import { type LineRange, readKeyedMessages, readLines, readRuns } from "./read-texts.ts";

/** Runs and turns in one transaction, and lines of logs in memory at a time. */
const batch = 500;
const linesAtOnce = 5_000;

/** Characters of one row, roughly: what is found is compared again, and that should not be a whole long log. */
const rowLength = 16_000;

interface Ended {
  readonly id: string;
  readonly kind: "pipeline" | "turn";
  readonly subject_id: string;
  readonly user_id: string | null;
  readonly team_id: string | null;
  /** Text, as a `Date` would lose the microseconds. */
  readonly ended: string;
  readonly log_count: number;
  /** Of a turn: the person's message. */
  readonly question: number | null;
}

/**
 * Writes what the next runs and turns say that have ended. One process does it at a time.
 * @returns how many there were; null where somebody else is at it
 */
export async function indexBatch({ db }: Pick<Store, "db">): Promise<number | null> {
  return await db.transaction().execute(async (tx) => {
    // All of this can be made again from what it is made of.
    await sql`set local synchronous_commit = off`.execute(tx);
    const { rows: locks } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('search batch', 0)) as mine`.execute(tx);
    if (locks[0]?.mine !== true) return null;
    // Before what has ended is read: whoever began later also ends later.
    const settled = await settledUntil(tx);
    const ended = await nextEnded(tx);
    if (ended.length > 0) {
      await write(tx, ended);
      await settleIndex(tx);
    }
    await advance(tx, settled, ended.length < batch ? null : (ended.at(-1) ?? null));
    return ended.length;
  });
}

/**
 * What ended before this time is committed, or never will be. An end has the time at which its transaction began: what is
 * still under way may end anything since then. A second for what has begun and is not reported yet.
 */
async function settledUntil(tx: Tx): Promise<string> {
  const { rows } = await sql<{ settled: string }>`
    select (least(now(), min(xact_start)) - interval '1 second')::text as settled from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name = current_setting('application_name')`.execute(tx);
  return rows[0]?.settled ?? "-infinity";
}

/** Puts what was just written where it belongs in the index, all at once; else each search would read it one by one. */
async function settleIndex(tx: Tx): Promise<void> {
  await sql`select gin_clean_pending_list(index.oid) from pg_class index
    where index.oid in (to_regclass('search_runs_text'), to_regclass('search_messages_text'))`.execute(tx);
}

async function nextEnded(tx: Tx): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    select e.id, e.kind, e.subject_id, e.user_id, e.team_id, e.finished_at::text as ended, e.log_count,
           case e.kind when 'turn' then (e.input ->> 'messageSeq')::integer end as question
      from executions e
     -- As values, and not as a join: of that the planner may expect so much that it reads all that ever ended.
     where e.finished_at >= (select ended_at from search_progress)
       and (e.finished_at, e.id) > ((select ended_at from search_progress), (select id from search_progress))
       and e.finished_at is not null and e.kind in ('pipeline', 'turn')
       and case e.kind when 'pipeline' then not exists (select from search_runs where run_id = e.id)
             else not exists (select from search_messages where interaction_id = e.subject_id
                                 and message_seq = (e.input ->> 'messageSeq')::integer) end
     order by e.finished_at, e.id limit ${sql.lit(batch)}`.execute(tx);
  return rows;
}

/** @param last of a full batch; null where there was nothing more */
async function advance(tx: Tx, settled: string, last: Ended | null): Promise<void> {
  const [ended, id] = last === null ? ["infinity", ""] : [last.ended, last.id];
  await sql`
    update search_progress
       set ended_at = least(${ended}::timestamptz, ${settled}::timestamptz),
           id = case when ${ended}::timestamptz < ${settled}::timestamptz then ${id} else '' end
     -- Where nothing happens nothing is written but once in a while.
     where ${last !== null} or ended_at < ${settled}::timestamptz - interval '10 seconds'`.execute(tx);
}

interface Row {
  readonly owner: Ended;
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

async function write(tx: Tx, ended: readonly Ended[]): Promise<void> {
  const runs = ended.filter(({ kind }) => kind === "pipeline");
  const texts = await readRuns(
    tx,
    runs.map(({ id }) => id),
  );
  for (const some of lineRanges(runs)) {
    const lines = byRun(await readLines(tx, some));
    const rows = some.flatMap((range) => {
      const owner = runs.find(({ id }) => id === range.run_id);
      const said = texts.get(range.run_id);
      if (owner === undefined || said === undefined) return [];
      const head = range.first_line === 1 ? runPlaces(said) : [];
      return runRows(owner, range, head, (lines.get(range.run_id) ?? []).map(linePlace));
    });
    await insertRuns(tx, rows);
  }
  await writeMessages(
    tx,
    ended.filter(({ kind }) => kind === "turn"),
  );
}

function byRun<T extends { readonly run_id: string }>(lines: readonly T[]): ReadonlyMap<string, T[]> {
  const found = new Map<string, T[]>();
  for (const line of lines) {
    const before = found.get(line.run_id);
    if (before === undefined) found.set(line.run_id, [line]);
    else before.push(line);
  }
  return found;
}

/** The logs of these runs in parts that fit into memory; a run without a log has one too. */
function* lineRanges(runs: readonly Ended[]): Generator<LineRange[]> {
  let some: LineRange[] = [];
  let room = linesAtOnce;
  for (const { id, log_count } of runs) {
    let first_line = 1;
    do {
      const last_line = Math.min(log_count, first_line + room - 1);
      some.push({ run_id: id, first_line, last_line });
      room -= last_line - first_line + 1;
      first_line = last_line + 1;
      if (room > 0) continue;
      yield some;
      some = [];
      room = linesAtOnce;
    } while (first_line <= log_count);
  }
  if (some.length > 0) yield some;
}

/** Rows of a run of which none is long, each with what `head` says where it begins the log. */
function runRows(
  owner: Ended,
  { first_line, last_line }: LineRange,
  head: readonly Place[],
  lines: readonly Place[],
): Row[] {
  const rows: Row[] = [];
  let first = first_line;
  let texts = [...head];
  let length = 0;
  for (const place of lines) {
    texts.push(place);
    length += place.text.length;
    const line = place.line ?? last_line;
    if (length < rowLength || line === last_line) continue;
    rows.push({ owner, first, last: line, text: textOf(texts) });
    [first, texts, length] = [line + 1, [], 0];
  }
  return [...rows, { owner, first, last: last_line, text: textOf(texts) }];
}

/** The same text is found once: what it finds is looked at again. */
function textOf(places: readonly Place[]): string {
  return [...new Set(places.map(({ text }) => asciiOf(fold(text).text)))].join("\n");
}

async function insertRuns(tx: Tx, rows: readonly Row[]): Promise<void> {
  const column = <T>(of: (row: Row) => T) => rows.map(of);
  await sql`
    insert into search_runs (run_id, first_line, last_line, user_id, team_id, ended_at, text)
    select * from unnest(${column(({ owner }) => owner.id)}::text[], ${column(({ first }) => first)}::integer[],
      ${column(({ last }) => last)}::integer[], ${column(({ owner }) => owner.user_id)}::text[],
      ${column(({ owner }) => owner.team_id)}::text[], ${column(({ owner }) => owner.ended)}::timestamptz[],
      ${column(({ text }) => text)}::text[])
    on conflict do nothing`.execute(tx);
}

/** The person's message of each turn, and the answer if there is one. */
async function writeMessages(tx: Tx, turns: readonly Ended[]): Promise<void> {
  const keys = turns.flatMap(({ subject_id, question }) =>
    [question ?? 0, (question ?? 0) + 1].map((message_seq) => ({ interaction_id: subject_id, message_seq })),
  );
  const messages = await readKeyedMessages(tx, keys);
  if (messages.length === 0) return;
  const ends = new Map(turns.map((turn) => [`${turn.subject_id} ${turn.question}`, turn.ended]));
  const endOf = ({ interaction_id, message_seq }: (typeof messages)[number]) =>
    ends.get(`${interaction_id} ${message_seq}`) ?? ends.get(`${interaction_id} ${message_seq - 1}`);
  await sql`
    insert into search_messages (interaction_id, message_seq, user_id, team_id, ended_at, text)
    select interactions.id, message.seq, interactions.user_id, interactions.team_id, message.ended_at, message.text
      from unnest(${messages.map(({ interaction_id }) => interaction_id)}::text[],
                  ${messages.map(({ message_seq }) => message_seq)}::integer[],
                  ${messages.map(endOf)}::timestamptz[],
                  ${messages.map((message) => textOf(messagePlaces(message)))}::text[])
             with ordinality message (interaction_id, seq, ended_at, text, place)
      join interactions on interactions.id = message.interaction_id
     order by message.place
    on conflict do nothing`.execute(tx);
}
