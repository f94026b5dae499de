import { Conversations } from "../../../lib/history/conversations.ts";
import { History } from "../../../lib/history/history.ts";
import type { KnownConversation } from "../../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../../lib/history/known-run.ts";
import { mostKept, type Registry, withoutNothing } from "../../../lib/history/registry.ts";
import { conflictsOf, mergeRecords, resolve } from "../../../lib/merge/merge-record.ts";
import type { KnownEntry } from "./known-file.ts";
import {
  createYielder,
  type FoundEntry,
  type LineProblem,
  readKnown,
  type Section,
} from "./read-write-known.ts";

/** Where the records of a file go. */
export interface ImportInto {
  readonly runs: History;
  readonly conversations: Conversations;
  /** Who is signed in (session/signed-in.ts, `identityOf`). */
  readonly as: string;
  /** The origin of this page. */
  readonly service: string;
  /** The person says that these origins are the same service under other addresses. */
  readonly sameServices?: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What became of the lines of a file. */
export interface ImportReport {
  readonly added: number;
  readonly renewed: number;
  readonly same: number;
  /** Of those, belonging to somebody else or another connection: kept apart, for when they sign in here. */
  readonly apart: number;
  /** New, and left out because there is no more room. */
  readonly noRoom: number;
  /** Left out because they are of another service. */
  readonly elsewhere: readonly { readonly service: string; readonly count: number }[];
  readonly problems: readonly LineProblem[];
  readonly moreProblems: number;
}

/** A browser's database is read whole at each start, so it must not become too big for that. */
const mostSize = 20_000_000;
const mostApart = 2_000;
/** Each write has to end before the database counts as stuck. */
const atOnce = 200;

/**
 * Merges a file into what this browser knows. What was there stays; lines that cannot be taken are named, the rest is
 * taken. Records of somebody else, or of another connection of this page, are kept apart under their name.
 * @param bytes the file, in pieces
 * @throws only what `bytes` throws; nothing is changed then
 */
export async function importKnown(bytes: AsyncIterable<Uint8Array>, into: ImportInto): Promise<ImportReport> {
  const file = await readKnown(bytes, into.now);
  const here = new Set([into.service, ...(into.sameServices ?? [])]);
  const size = { left: mostSize };
  const apartRoom = { left: mostApart };
  const report = { added: 0, renewed: 0, same: 0, apart: 0, noRoom: 0 };
  const problems = [...file.problems];
  const elsewhere = new Map<string, number>();

  for (const section of ownFirst(file.sections, into.as)) {
    const { owner, entries } = section;
    if (!here.has(owner.service)) {
      elsewhere.set(owner.service, (elsewhere.get(owner.service) ?? 0) + entries.length);
      continue;
    }
    const isOwn = owner.as === into.as;
    const merge = async <T extends KnownRun | KnownConversation>(
      place: Registry<T>,
      kind: KnownEntry["kind"],
      remoteId: (record: T) => string | null,
    ) => {
      const found = entries.filter((entry) => entry.kind === kind) as (FoundEntry & { record: T })[];
      if (found.length === 0) return;
      await place.load();
      const known = place.list.get();
      const free = Math.max(0, mostKept - known.length);
      const room: Room = { count: isOwn ? free : Math.min(free, apartRoom.left), size: size.left };
      const merged: Merge<T> = await mergeKnown(known, found, remoteId, room);
      for (let at = 0; at < merged.put.length; at += atOnce) {
        // Reads go on meanwhile, and may have written of the same runs.
        const current = new Map(place.list.get().map((one) => [one.id, one]));
        const some = merged.put.slice(at, at + atOnce);
        await place.take(some.map((one) => joinKnown(current.get(one.id) ?? one, one)));
      }
      size.left = room.size;
      if (!isOwn) apartRoom.left -= merged.added;
      for (const what of ["added", "renewed", "same", "noRoom"] as const) report[what] += merged[what];
      if (!isOwn) report.apart += merged.added + merged.renewed;
      problems.push(...merged.problems);
    };
    const { store } = into.runs;
    const runs = isOwn ? into.runs : new History(store, owner.as);
    const conversations = isOwn ? into.conversations : new Conversations(store, owner.as);
    await merge(runs, "run", (run) => run.runId);
    await merge(conversations, "conversation", (conversation) => conversation.interactionId);
  }
  const named = problems.sort((a, b) => a.line - b.line).slice(0, 50);
  return {
    ...report,
    elsewhere: [...elsewhere].map(([service, count]) => ({ service, count })),
    problems: named,
    moreProblems: file.moreProblems + problems.length - named.length,
  };
}

/** What is left of the room goes to the others. */
function ownFirst(sections: readonly Section[], as: string): readonly Section[] {
  return [...sections].sort((a, b) => Number(b.owner.as === as) - Number(a.owner.as === as));
}

/** What runs and conversations have in common. */
type Known = (KnownRun | KnownConversation) & { readonly asked?: KnownConversation["asked"] };

interface Incoming<T> {
  readonly record: T;
  readonly line: number;
  /** In characters. */
  readonly size: number;
}

/** How much may still be added. It is used up by merging. */
interface Room {
  count: number;
  /** In characters. */
  size: number;
}

interface Merge<T> {
  /** The records to write: new ones, and known ones that are told more of. */
  readonly put: readonly T[];
  readonly added: number;
  readonly renewed: number;
  /** Known already, just so. */
  readonly same: number;
  /** New, but there is no more room. */
  readonly noRoom: number;
  readonly problems: readonly LineProblem[];
}

/**
 * Works out what to write so that what is known and what comes are both there. A record is known by its id, or by that of
 * the run or conversation that it is about. Of two, what was seen later wins, and what it does not say stays; nothing that
 * is known is ever dropped for room.
 */
async function mergeKnown<T extends Known>(
  known: readonly T[],
  incoming: readonly Incoming<T>[],
  remoteId: (record: T) => string | null,
  room: Room,
): Promise<Merge<T>> {
  const yieldIfDue = createYielder();
  const byId = new Map<string, T>();
  const byRemote = new Map<string, T>();
  const learn = (record: T) => {
    byId.set(record.id, record);
    const remote = remoteId(record);
    if (remote !== null) byRemote.set(remote, record);
  };
  for (const record of known) learn(record);
  const put = new Map<string, T>();
  const added = new Set<string>();
  const problems: LineProblem[] = [];
  let same = 0;
  let noRoom = 0;
  // The newest first: where the room ends, the oldest are left out.
  for (const { record, line, size } of [...incoming].sort((a, b) => b.record.knownAt - a.record.knownAt)) {
    const remote = remoteId(record);
    const named = byId.get(record.id);
    const namedRemote = named ? remoteId(named) : null;
    const pause = yieldIfDue();
    if (pause) await pause;
    if (remote !== null && namedRemote !== null && namedRemote !== remote) {
      problems.push({ line, problem: "has the ID of another record" });
      continue;
    }
    const found = (remote !== null && byRemote.get(remote)) || named;
    const next = found ? joinKnown(found, record) : record;
    if (found && isSame(found, next)) {
      same += 1;
      continue;
    }
    if (size > room.size || (!found && room.count === 0)) {
      noRoom += 1;
      continue;
    }
    room.size -= size;
    if (!found) {
      room.count -= 1;
      added.add(next.id);
    }
    put.set(next.id, next);
    learn(next);
  }
  return {
    put: [...put.values()],
    added: added.size,
    renewed: put.size - added.size,
    same,
    noRoom,
    problems,
  };
}

/**
 * Both in one, under the id by which it is known here: a merge without a base, in which what both say and say differently
 * is decided by what was learnt later, but for what has a time of its own or does not change by being seen later.
 */
function joinKnown<T extends Known>(known: T, other: T): T {
  const later = (mine: number, theirs: number) => (theirs > mine ? "theirs" : "mine");
  const newer = later(newsOf(known), newsOf(other));
  const whose: Readonly<Record<string, "mine" | "theirs">> = {
    id: "mine",
    provenance: "mine",
    knownAt: "mine",
    inputs: "mine",
    start: known.start === "started" ? "mine" : other.start === "started" ? "theirs" : newer,
    last: later(known.last?.seenAt ?? 0, other.last?.seenAt ?? 0),
    asked: later(known.asked?.at ?? 0, other.asked?.at ?? 0),
  };
  const three = { base: {}, mine: withoutNothing(known), theirs: withoutNothing(other) };
  const rules = Object.fromEntries(
    Object.keys({ ...known, ...other }).map((field) => [field, { form: "value" } as const]),
  );
  const result = mergeRecords<object>(rules, three, Object);
  const choices = conflictsOf(result).map(({ id, field }) => [id, whose[field] ?? newer] as const);
  const joined: Partial<T> = resolve(result, Object.fromEntries(choices));
  // An error belongs to the start that it stopped.
  const { error } = newer === "theirs" && joined.start !== "started" ? other : known;
  return { ...known, ...joined, error };
}

/** When the newest that it tells was learnt, ms since 1970. */
const newsOf = ({ knownAt, last, asked }: Known) => Math.max(knownAt, last?.seenAt ?? 0, asked?.at ?? 0);

function isSame<T extends Known>(a: T, b: T): boolean {
  return (Object.keys(b) as (keyof T)[]).every(
    (key) => a[key] === b[key] || JSON.stringify(a[key]) === JSON.stringify(b[key]),
  );
}
