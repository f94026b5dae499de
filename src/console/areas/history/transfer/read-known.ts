import { breather } from "./breath.ts";
import { type KnownEntry, type Owner, readLine } from "./known-file.ts";

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
  const breathe = breather();
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
    else name(line, "stands before the line that says whose records these are");
  };

  for await (const { text, line } of linesOf(bytes)) {
    if (text === null) name(line, `is longer than ${longestLine / 1e6} MB`);
    else if (text.trim() !== "") take(text, line);
    const pause = breathe();
    if (pause) await pause;
  }
  endStrange();
  return { sections: [...sections.values()], problems, moreProblems: problemCount - problems.length };
}

function withLines(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "; the line below it goes with it" : `; the ${count} lines below it go with it`;
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
