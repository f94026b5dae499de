import type { KnownConversation } from "../../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../../lib/history/known-run.ts";
import { breather } from "./breath.ts";
import { format, type Header, type KnownEntry, type Owner, version } from "./known-file.ts";

export interface WrittenFile {
  /** Its lines, each with its end. */
  readonly lines: readonly string[];
  /** How many records go without what was sent, because it looks as if it held a key. */
  readonly bare: number;
}

interface WriteOptions {
  readonly owner: Owner;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether a text looks as if it held a password or a key: these leave no browser. */
  readonly isSecret: (text: string) => boolean;
  /** Nobody wants the file any more. */
  readonly signal?: AbortSignal;
}

/**
 * Writes what is known as a file; the page has its turn in between.
 * @throws the reason of `signal`
 */
export async function writeKnown(
  runs: readonly KnownRun[],
  conversations: readonly KnownConversation[],
  { owner, now, isSecret, signal }: WriteOptions,
): Promise<WrittenFile> {
  const breathe = breather();
  const header: Header = { format, version, exported_at: new Date(now).toISOString(), ...owner };
  const lines = [`${JSON.stringify(header)}\n`];
  let bare = 0;
  const entries: readonly KnownEntry[] = [
    ...runs.map((record) => ({ kind: "run", record }) as const),
    ...conversations.map((record) => ({ kind: "conversation", record }) as const),
  ];
  for (const entry of entries) {
    const whole = lineOf(entry);
    const isWhole = whole !== null && !looksSecret(whole, isSecret);
    if (!isWhole) bare += 1;
    lines.push(isWhole ? whole : (lineOf(withoutSent(entry)) ?? ""));
    const pause = breathe();
    if (pause) await pause;
    signal?.throwIfAborted();
  }
  return { lines, bare };
}

/** Null: it is too deep to be written. */
function lineOf({ kind, record }: KnownEntry): string | null {
  try {
    return `${JSON.stringify({ [kind]: record })}\n`;
  } catch {
    return null;
  }
}

/** The record with all that a person wrote taken out. */
function withoutSent(entry: KnownEntry): KnownEntry {
  return entry.kind === "run"
    ? { kind: "run", record: { ...entry.record, inputs: null, error: null } }
    : { kind: "conversation", record: { ...entry.record, name: null, asked: null, error: null } };
}

const part = 100_000;
/** So that nothing is cut in two. */
const overlap = 1_000;

/** Looks at all of a line, also beyond what is looked at in one go. */
function looksSecret(line: string, isSecret: (text: string) => boolean): boolean {
  // Quotes between a name and its value would hide that they belong together.
  const plain = line.replaceAll(/["\\]/g, "");
  for (let from = 0; from < plain.length; from += part) {
    if (isSecret(plain.slice(from, from + part + overlap))) return true;
  }
  return false;
}
