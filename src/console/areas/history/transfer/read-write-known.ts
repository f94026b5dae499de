import type { KnownConversation } from "../../../lib/history/known-conversation.ts";
import type { KnownRun } from "../../../lib/history/known-run.ts";
import { format, type Header, type KnownEntry, type Owner, readLine, version } from "./known-file.ts";

/** A line that is left out, and why: "line 7 is not JSON". */
export interface LineProblem {
  readonly line: number;
  readonly problem: string;
}

/** A record, and where it stood. `size` is that of its line in characters. */
export type FoundEntry = KnownEntry & { readonly line: number; readonly size: number };

/** The records of one owner. */
export interface Section {
  readonly owner: Owner;
  readonly entries: readonly FoundEntry[];
}

export interface KnownFile {
  readonly sections: readonly Section[];
  /** The first of the lines that are left out. */
  readonly problems: readonly LineProblem[];
  /** How many more there are. */
  readonly moreProblems: number;
}

const longestLine = 4_000_000;
const mostNamed = 50;

/**
 * Reads a file of what a browser knows, whatever is in it; the page has its turn in between.
 * @param bytes the file, in pieces
 * @param now milliseconds since 1970
 * @throws only what `bytes` throws
 */
export async function readKnown(bytes: AsyncIterable<Uint8Array>, now: number): Promise<KnownFile> {
  const yieldIfDue = createYielder();
  const sections = new Map<string, { owner: Owner; entries: FoundEntry[] }>();
  const problems: LineProblem[] = [];
  let problemCount = 0;
  const name = (line: number, problem: string) => {
    problemCount += 1;
    if (problems.length < mostNamed) problems.push({ line, problem });
  };
  let current: FoundEntry[] | null = null;
  /** Lines that belong to a header which is not understood: it is named, they are counted. */
  let strange: { line: number; problem: string; lines: number } | null = null;
  const endStrange = () => {
    if (strange) name(strange.line, `${strange.problem}${withLines(strange.lines)}`);
    strange = null;
  };

  const take = (text: string, line: number) => {
    const read = readLine(text, now);
    if (read.is === "header") {
      endStrange();
      const { owner } = read;
      const key = JSON.stringify([owner.service, owner.as]);
      const section = sections.get(key) ?? { owner, entries: [] };
      sections.set(key, section);
      current = section.entries;
    } else if (read.is === "strange-header") {
      endStrange();
      strange = { line, problem: read.problem, lines: 0 };
      current = null;
    } else if (strange) strange.lines += 1;
    else if (read.is === "broken") name(line, read.problem);
    else if (current) current.push({ ...read.entry, line, size: text.length });
    else name(line, "comes before the line that names the owner");
  };

  for await (const { text, line } of linesOf(bytes)) {
    if (text === null) name(line, `is longer than ${longestLine / 1e6} MB`);
    else if (text.trim() !== "") take(text, line);
    const pause = yieldIfDue();
    if (pause) await pause;
  }
  endStrange();
  return { sections: [...sections.values()], problems, moreProblems: problemCount - problems.length };
}

function withLines(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? "; the line below it was skipped too"
    : `; the ${count} lines below it were skipped too`;
}

interface TextLine {
  /** Null: longer than any record can be. */
  readonly text: string | null;
  /** From 1. */
  readonly line: number;
}

/** Cuts bytes into lines. Of one that is too long, nothing is kept. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder();
  let rest = "";
  let isTooLong = false;
  let line = 1;
  const cut = function* (text: string): Generator<TextLine> {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const whole = rest + text.slice(from, end);
      yield { text: isTooLong || whole.length > longestLine ? null : whole, line };
      rest = "";
      isTooLong = false;
      line += 1;
      from = end + 1;
    }
    rest += text.slice(from);
    if (rest.length > longestLine) {
      rest = "";
      isTooLong = true;
    }
  };
  for await (const piece of bytes) yield* cut(decoder.decode(piece, { stream: true }));
  yield* cut(decoder.decode());
  if (rest !== "" || isTooLong) yield { text: isTooLong ? null : rest, line };
}

interface WrittenFile {
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
  const yieldIfDue = createYielder();
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
    const pause = yieldIfDue();
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

/** So long may work go on at a time, in ms: a frame is not missed. */
const longest = 8;

/**
 * Lets long work on the page's own thread be interrupted: call it often, it waits only when it is time.
 * @returns resolves after the page had its turn
 */
export function createYielder(): () => Promise<void> | null {
  let began = performance.now();
  return () => {
    if (performance.now() - began < longest) return null;
    return new Promise((resolve) => {
      // Unlike a timer, a message also comes at once in a hidden tab.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        began = performance.now();
        resolve();
      };
      port2.postMessage(null);
    });
  };
}
