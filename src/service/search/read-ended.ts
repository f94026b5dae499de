import { sql } from "kysely";
import type { Tx } from "../store/store.ts";
import { asciiOf, foldSteps } from "./fold.ts";
import { groupBy, inGroups } from "./group-by.ts";
import { inTurns } from "./in-turns.ts";
import { linePlace, messagePlaces, type PlacedText, runPlaces } from "./places.ts";
import { type LineRange, readKeyedMessages, readLines, readRuns } from "./read-texts.ts";

/** Lines of logs in memory at a time, and characters: what is done with them holds up all others. */
const linesAtOnce = 5_000;
const lengthAtOnce = 500_000;
/** Characters of inputs and outputs in memory at a time. */
const valuesAtOnce = 4_000_000;

/** Characters that one row has, roughly: what is found is compared again, and that should not be a whole long log. */
const partLength = 16_000;

/** A run or turn that has ended. */
export interface Ended {
  readonly id: string;
  readonly kind: "pipeline" | "turn";
  /** Whose it is, or the conversation of the turn; empty for nobody. */
  readonly user_id: string;
  readonly team_id: string;
  /** Text, as a `Date` would lose the microseconds. */
  readonly ended_at: string;
  readonly log_count: number;
  readonly log_bytes: number;
  /** Of what a run began with and came to, in bytes. */
  readonly size: number;
  /** Of a turn: its conversation, and the number of the person's message in it. */
  readonly interaction_id: string;
  readonly question: number;
}

/** What one of them says, or a part of a long log. */
export interface Said {
  readonly owner: Ended;
  /** Of the log; null where this is all of it. */
  readonly lines: readonly [first: number, last: number] | null;
  /** Folded, and each once. */
  readonly texts: readonly string[];
}

/** What these runs and turns say, in their order by kind; nothing of what is gone meanwhile. */
export async function* readEnded(tx: Tx, ended: readonly Ended[]): AsyncGenerator<Said[]> {
  const ran = ended.filter(({ kind }) => kind === "pipeline");
  for (const runs of inGroups(ran, valuesAtOnce)) yield* readLogged(tx, runs);
  const turns = ended.filter(({ kind }) => kind === "turn");
  if (turns.length > 0) yield await readTurns(tx, turns);
}

async function* readLogged(tx: Tx, runs: readonly Ended[]): AsyncGenerator<Said[]> {
  const texts = await readRuns(
    tx,
    runs.map(({ id }) => id),
  );
  const owners = new Map(runs.map((run) => [run.id, run]));
  for (const some of lineRanges(runs)) {
    const lines = groupBy(await readLines(tx, some), ({ run_id }) => run_id);
    const parts: Said[] = [];
    for (const range of some) {
      const owner = owners.get(range.run_id);
      const said = texts.get(range.run_id);
      if (owner === undefined || said === undefined) continue;
      const head = range.first_line === 1 ? runPlaces(said) : [];
      parts.push(...(await partsOf(owner, range, head, (lines.get(range.run_id) ?? []).map(linePlace))));
    }
    yield parts;
  }
}

/** The logs of these runs in parts that fit into memory; a run without a log has one too. */
function* lineRanges(runs: readonly Ended[]): Generator<LineRange[]> {
  let some: LineRange[] = [];
  let room = 1;
  for (const { id, log_count, log_bytes } of runs) {
    // Its share of the room: a line takes as much as those of this log do on average.
    const line = Math.max(1 / linesAtOnce, log_bytes / Math.max(1, log_count) / lengthAtOnce);
    let first_line = 1;
    do {
      const last_line = Math.min(log_count, first_line + Math.max(1, Math.floor(room / line)) - 1);
      some.push({ run_id: id, first_line, last_line });
      room -= (last_line - first_line + 1) * line;
      first_line = last_line + 1;
      if (room >= line) continue;
      yield some;
      some = [];
      room = 1;
    } while (first_line <= log_count);
  }
  if (some.length > 0) yield some;
}

/** Parts of a run of which none is long, each with what `head` says where it begins the log. */
async function partsOf(
  owner: Ended,
  { first_line, last_line }: LineRange,
  head: readonly PlacedText[],
  lines: readonly PlacedText[],
): Promise<Said[]> {
  const parts: Said[] = [];
  let first = first_line;
  let places = [...head];
  let length = 0;
  const add = async (last: number) => {
    const isAll = first === 1 && last === owner.log_count;
    parts.push({ owner, lines: isAll ? null : [first, last], texts: await textsOf(places) });
  };
  for (const place of lines) {
    places.push(place);
    length += place.text.length;
    const line = place.line ?? last_line;
    if (length < partLength || line === last_line) continue;
    await add(line);
    [first, places, length] = [line + 1, [], 0];
  }
  await add(last_line);
  return parts;
}

/** The person's message of each turn, and the answer if there is one. */
async function readTurns(tx: Tx, turns: readonly Ended[]): Promise<Said[]> {
  const keys = turns.flatMap(({ interaction_id, question }) =>
    [question, question + 1].map((message_seq) => ({ interaction_id, message_seq })),
  );
  const places = new Map<string, PlacedText[]>();
  for (const message of await readKeyedMessages(tx, keys)) {
    places.set(`${message.interaction_id} ${message.message_seq}`, messagePlaces(message));
  }
  const said: Said[] = [];
  for (const owner of turns) {
    const { interaction_id, question } = owner;
    const both = [question, question + 1].flatMap((seq) => places.get(`${interaction_id} ${seq}`) ?? []);
    said.push({ owner, lines: null, texts: await textsOf(both) });
  }
  return said;
}

/** The same text is found once: what it finds is looked at again. */
async function textsOf(places: readonly PlacedText[]): Promise<string[]> {
  const texts = new Set<string>();
  for (const { text } of places) texts.add(asciiOf((await inTurns(foldSteps(text))).text));
  return [...texts];
}

/** Those of these runs and turns that are there, with whose they are; for `readEnded`. */
export const endedColumns = sql`
  e.id, e.kind, e.finished_at::text as ended_at, e.log_count, e.log_bytes, e.subject_id as interaction_id,
  case e.kind when 'turn' then (e.input ->> 'messageSeq')::integer else 0 end as question,
  case e.kind when 'turn' then 0
              else octet_length(e.input::text) + coalesce(octet_length(e.result::text), 0) end as size,
  coalesce(case e.kind when 'turn' then talk.user_id else e.user_id end, '') as user_id,
  coalesce(case e.kind when 'turn' then talk.team_id else e.team_id end, '') as team_id
`;

/** The conversations of turns, for `endedColumns`. */
export const endedTalks = sql`left join interactions talk on talk.id = e.subject_id and e.kind = 'turn'`;
