import type { KnownConversation } from "../../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../../lib/history/known-run.ts";
import { withoutNothing } from "../../../lib/history/registry.ts";
import { breather } from "./breath.ts";
import type { LineProblem } from "./read-known.ts";

/** What runs and conversations have in common. */
type Known = (KnownRun | KnownConversation) & { readonly asked?: KnownConversation["asked"] };

export interface Incoming<T> {
  readonly record: T;
  readonly line: number;
  /** In characters. */
  readonly size: number;
}

/** How much may still be added. It is used up by merging. */
export interface Room {
  count: number;
  /** In characters. */
  size: number;
}

export interface Merge<T> {
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
export async function mergeKnown<T extends Known>(
  known: readonly T[],
  incoming: readonly Incoming<T>[],
  remoteId: (record: T) => string | null,
  room: Room,
): Promise<Merge<T>> {
  const breathe = breather();
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
    const pause = breathe();
    if (pause) await pause;
    if (remote !== null && namedRemote !== null && namedRemote !== remote) {
      problems.push({ line, problem: "has the id of another record" });
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

/** Both in one, under the id by which it is known here. */
export function joinKnown<T extends Known>(known: T, other: T): T {
  const isNewer = newsOf(other) > newsOf(known);
  const newer: T = isNewer ? other : known;
  const older: T = isNewer ? known : other;
  const isStarted = [known, other].some((one) => one.start === "started");
  const asked = later(known.asked, other.asked, (one) => one.at);
  /** What does not change by being seen later, and what has a time of its own. */
  const settled = {
    ...("inputs" in known && { inputs: inputsOf(known) ?? inputsOf(other) }),
    id: known.id,
    provenance: known.provenance,
    knownAt: known.knownAt,
    start: isStarted ? "started" : newer.start,
    error: isStarted ? known.error : newer.error,
    last: later(known.last, other.last, (one) => one.seenAt),
    ...(asked !== undefined && { asked }),
  };
  return Object.assign({}, older, withoutNothing(newer), settled as object);
}

const inputsOf = (record: Known) => ("inputs" in record ? record.inputs : null);

/** When the newest that it tells was learnt, ms since 1970. */
const newsOf = ({ knownAt, last, asked }: Known) => Math.max(knownAt, last?.seenAt ?? 0, asked?.at ?? 0);

function later<V>(known: V, other: V, at: (value: NonNullable<V>) => number): V {
  if (known == null || other == null) return known ?? other;
  return at(other) > at(known) ? other : known;
}

function isSame<T extends Known>(a: T, b: T): boolean {
  return (Object.keys(b) as (keyof T)[]).every(
    (key) => a[key] === b[key] || JSON.stringify(a[key]) === JSON.stringify(b[key]),
  );
}
