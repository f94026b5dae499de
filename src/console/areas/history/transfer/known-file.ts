import { type KnownConversation, parseKnownConversation } from "../../../lib/history/known-conversation.ts";
import { type KnownRun, parseKnownRun } from "../../../lib/history/known-run.ts";

/**
 * A file of what a browser knows: NDJSON, one record per line. Its first line names format and version, and whose the
 * records are; files put one after the other are a file too.
 */
export const format = "wheelhouse-known";
export const version = 1;

/** Whose records follow. */
export interface Owner {
  /** The origin of the page that knew them. */
  readonly service: string;
  /** Person or team on a connection of that page (session/signed-in.ts, `identityOf`); names no secret. */
  readonly as: string;
}

export type Header = Owner & {
  readonly format: typeof format;
  readonly version: typeof version;
  /** ISO 8601. */
  readonly exported_at: string;
};

export type KnownEntry =
  | { readonly kind: "run"; readonly record: KnownRun }
  | { readonly kind: "conversation"; readonly record: KnownConversation };

/** What one line is. `problem`: why it is left out, to follow "line 7". */
export type Line =
  | { readonly is: "header"; readonly owner: Owner }
  | { readonly is: "entry"; readonly entry: KnownEntry }
  | { readonly is: "strange-header"; readonly problem: string }
  | { readonly is: "broken"; readonly problem: string };

/** Deeper values cannot be written to every browser's database. */
const deepest = 100;
const longestId = 200;
const longestText = 20_000;

/**
 * Reads one line. Never throws. A record comes back as one that was imported, with no time after `now`.
 * @param now milliseconds since 1970
 */
export function readLine(text: string, now: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken("is not JSON, or cut off");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return broken("is not a record");
  const line = value as Readonly<Record<string, unknown>>;
  if (Object.hasOwn(line, "format")) return readHeader(line);
  if (Object.hasOwn(line, "run")) {
    const run = parseKnownRun(line.run);
    if (!run) return broken("is not a valid run");
    return entryOf({ kind: "run", record: importedRun(run, now) }, problemOf(run, run.runId));
  }
  if (Object.hasOwn(line, "conversation")) {
    const one = parseKnownConversation(line.conversation);
    if (!one) return broken("is not a valid conversation");
    const entry = { kind: "conversation", record: importedConversation(one, now) } as const;
    return entryOf(entry, problemOf(one, one.interactionId));
  }
  return broken("is neither a run nor a conversation");
}

const broken = (problem: string): Line => ({ is: "broken", problem });
const entryOf = (entry: KnownEntry, problem: string | null): Line =>
  problem === null ? { is: "entry", entry } : broken(problem);

/** Connection, person or team, and two ids that may be missing, as `identityOf` writes them. */
const identity = /^\/[\w\-./%]*api\/v1 (person|team) \S* \S*$/;

function readHeader(line: Readonly<Record<string, unknown>>): Line {
  const strange = (problem: string): Line => ({ is: "strange-header", problem });
  if (line.format !== format) return strange(`has the format ${shown(line.format)}, not ${format}`);
  if (line.version !== version)
    return strange(`has version ${shown(line.version)}, which this console does not know`);
  const { service, as } = line;
  if (typeof service !== "string" || typeof as !== "string" || as.length > 1_000 || !identity.test(as))
    return strange("does not name the owner of its records");
  return { is: "header", owner: { service, as } };
}

const shown = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value).slice(0, 40) : "that is not text";

/** Why a record is not taken, though it has the right form; null where it is. */
function problemOf(record: KnownRun | KnownConversation, remoteId: string | null): string | null {
  const isId = (id: string) => id.length <= longestId && /^\S+$/.test(id);
  if (!isId(record.id) || (remoteId !== null && !isId(remoteId))) return "has an invalid ID";
  const { inputs = null, ...rest } = record as Partial<KnownRun>;
  if (JSON.stringify(rest).length > longestText * 2) return "has a name or a message that is too long";
  if (isDeep(inputs)) return `has inputs of more than ${deepest} levels`;
  return null;
}

/** Without recursion: the value may be as deep as the file is long. */
function isDeep(value: unknown): boolean {
  const open: (readonly [value: unknown, depth: number])[] = [[value, 0]];
  for (let one = open.pop(); one; one = open.pop()) {
    const [next, depth] = one;
    if (typeof next !== "object" || next === null) continue;
    if (depth >= deepest) return true;
    for (const inner of Object.values(next)) open.push([inner, depth + 1]);
  }
  return false;
}

const importedRun = (run: KnownRun, now: number): KnownRun => ({
  ...run,
  ...imported(run, now),
  last: run.last && { ...run.last, seenAt: notLater(run.last.seenAt, now) },
});

const importedConversation = (conversation: KnownConversation, now: number): KnownConversation => ({
  ...conversation,
  ...imported(conversation, now),
  asked: conversation.asked && {
    text: conversation.asked.text.slice(0, longestText),
    at: notLater(conversation.asked.at, now),
  },
  last: conversation.last && { ...conversation.last, seenAt: notLater(conversation.last.seenAt, now) },
});

/** Its start call was another browser's: whoever waits for the answer is not here. */
function imported({ start, knownAt }: Pick<KnownRun, "start" | "knownAt">, now: number) {
  return {
    provenance: "imported",
    start: start === "sending" ? "unclear" : start,
    knownAt: notLater(knownAt, now),
  } as const;
}

/** Clocks differ, and files are written by hand: nothing was known before 1970 or in the future. */
const notLater = (at: number, now: number) => Math.min(Math.max(0, at), now);
