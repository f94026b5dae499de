import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareLines, rowKinds } from "./compare-lines.ts";
import { idMark, normalizeLine, timeMark } from "./normalize-line.ts";
import { textLines } from "./TextDiff.tsx";
import { changedWords } from "./words.tsx";

const compared = (a: readonly string[], b: readonly string[], even = true) => {
  const { rows, kinds } = compareLines(a, b, { even });
  return [...kinds].map((kind, at) => [rows[at * 2], rows[at * 2 + 1], kind]);
};

describe("comparing two logs", () => {
  it("reads lines alike that differ in times and ids only", () => {
    const a = ["2026-11-20T08:15:04.123Z [Fetch] request 3f9a2b7c1d5e8f60 took 812 ms"];
    const b = ["2026-11-21T10:01:59.001Z [Fetch] request 77aa2b7c1d5e8fbb took 1.2 s"];
    expect(compared(a, b)).toEqual([[0, 0, rowKinds.same]]);
    expect(compared(a, b, false)).toEqual([[0, 0, rowKinds.values]]);
  });

  it("keeps dates, numbers and names that people gave as they are", () => {
    expect(normalizeLine("read orders-2026.csv, 214 rows, valid_from=2026-12-01")).toBe(
      "read orders-2026.csv, 214 rows, valid_from=2026-12-01",
    );
    expect(normalizeLine("12:30:01.5 run_abc of k3J9xQ2mWx0eLs4b", ["run_abc"])).toBe(
      `${timeMark} ${idMark} of ${idMark}`,
    );
  });

  it("sets lines beside each other that differ in a value, and not those that say something else", () => {
    const a = ["start", "lane DE-AT, 369 rows", "lane NL-PL, 405 rows", "end"];
    const b = ["start", "lane DE-AT, 371 rows", "502, retry", "Fetch failed: bad gateway", "end"];
    expect(compared(a, b)).toEqual([
      [0, 0, rowKinds.same],
      [1, 1, rowKinds.values],
      [2, 2, rowKinds.other],
      [-1, 3, rowKinds.other],
      [3, 4, rowKinds.same],
    ]);
  });

  it("tells each line of both logs once and in order, whatever they are", () => {
    const log = fc.array(fc.constantFrom("one", "two", "three four", "three five", "[x] y", ""), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(log, log, (a, b) => {
        const rows = compared(a, b);
        const side = (at: 0 | 1) => rows.map((row) => row[at]).filter((line) => line !== -1);
        expect(side(0)).toEqual(a.map((_, at) => at));
        expect(side(1)).toEqual(b.map((_, at) => at));
        for (const [left = -1, right = -1, kind] of rows) {
          if (kind === rowKinds.same) expect(a[left]).toBe(b[right]);
        }
      }),
    );
  });

  it("lines up a hundred thousand lines with a few that differ", () => {
    const a = Array.from({ length: 100_000 }, (_, at) => `line ${at} of many`);
    const b = a.map((line, at) => (at % 20_000 === 7 ? `${line}, but other` : line));
    const { kinds, isLinedUp } = compareLines(a, b, { even: true });
    expect(isLinedUp).toBe(true);
    expect(kinds.filter((kind) => kind !== rowKinds.same)).toHaveLength(5);
  });
});

describe("comparing two texts", () => {
  it("puts a changed line beside its successor and marks the words", () => {
    const before = textLines("First\nNever promise payment.\nLast");
    const after = textLines("First\nNever promise a payment.\nLast\nMore");
    expect(compared(before, after, false)).toEqual([
      [0, 0, rowKinds.same],
      [1, 1, rowKinds.values],
      [2, 2, rowKinds.same],
      [-1, 3, rowKinds.other],
    ]);
    expect(changedWords(before[1] ?? "", after[1] ?? "")).toEqual({
      a: [
        ["Never promise ", false],
        ["payment.", false],
      ],
      b: [
        ["Never promise ", false],
        ["a ", true],
        ["payment.", false],
      ],
    });
    expect(changedWords("lane DE-AT, 369.5 rows", "lane DE-AT, 371.5 rows")?.b[1]).toEqual(["371.5", true]);
    expect(changedWords("Something", "else altogether")).toBeNull();
  });

  it("has every line of both, in order", () => {
    const text = fc
      .array(fc.constantFrom("one", "two", "three", ""), { maxLength: 8 })
      .map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [a, b] = [textLines(before), textLines(after)];
        const rows = compared(a, b, false);
        expect(rows.flatMap(([left = -1]) => (left === -1 ? [] : [a[left]])).join("\n")).toBe(before);
        expect(rows.flatMap(([, right = -1]) => (right === -1 ? [] : [b[right]])).join("\n")).toBe(after);
      }),
    );
  });

  it("gives up on texts that have nothing in common but their length", () => {
    const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`);
    const { isLinedUp, kinds } = compareLines(lines("a"), lines("b"), { mostEdits: 2_000 });
    expect([isLinedUp, kinds.length]).toEqual([false, 20_000]);
  });
});
