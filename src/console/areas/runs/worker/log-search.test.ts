import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyScanner } from "./body-scanner.ts";
import { LogComparison } from "./held-log.ts";
import { HeldLogSearch } from "./log-search.ts";

function held(log: readonly string[]) {
  const comparison = new LogComparison(undefined, () => {});
  new BodyScanner(comparison).push(new TextEncoder().encode(JSON.stringify({ log })));
  return comparison.result().log;
}

function found(
  log: readonly string[],
  text: string,
  { regex = false, caseSensitive = false, from = 0 } = {},
) {
  const search = new HeldLogSearch(held(log), { text, regex, caseSensitive, from });
  const hits: number[] = [];
  for (;;) {
    const step = search.step(() => true);
    hits.push(...step.hits);
    if (step.done) return hits;
  }
}

const words = fc.string({
  unit: fc.constantFrom("a", "B", "7", " ", "é", '"', "\\", "\u001b[31m", "İ", "😀"),
});

describe("searching lines", () => {
  it("finds what a look at every line finds, whatever letters there are", () => {
    fc.assert(
      fc.property(
        fc.array(words),
        fc.string({ unit: fc.constantFrom("a", "b", "7", " "), minLength: 1 }),
        (log, text) => {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: the colour code of the words above
          const shown = log.map((line) => line.replaceAll(/\u001b\[31m/g, ""));
          const expected = shown.flatMap((line, at) =>
            line.trimStart().toLowerCase().includes(text) || line.toLowerCase().includes(text) ? [at] : [],
          );
          const hits = found(log, text);
          // The blank between a time and its words belongs to neither.
          expect(
            expected.filter((line) => !hits.includes(line)).every((line) => /^\s/.test(shown[line] ?? "")),
          ).toBe(true);
          expect(hits.every((line) => expected.includes(line))).toBe(true);
        },
      ),
    );
  });

  it("looks at words and nodes as they are shown, not at times and colours", () => {
    const log = [
      "2026-11-20T08:15:04Z [OCR pages] \u001b[31mpage\u001b[0m 1",
      "2026-11-20T08:15:04Z [Match] ok",
    ];
    expect(found(log, "2026")).toEqual([]);
    expect(found(log, "page 1")).toEqual([0]);
    expect(found(log, "ocr")).toEqual([0]);
    expect(found(log, "^ok$", { regex: true })).toEqual([1]);
  });

  it("goes on from a line, for lines that came later", () => {
    expect(found(["x", "x", "y", "x"], "x", { from: 1 })).toEqual([1, 3]);
    expect(found(["x"], "x", { from: 5 })).toEqual([]);
  });

  it("looks with a pattern at the beginning of a line of megabytes only", () => {
    const line = `${"y".repeat(1_000_000)}z`;
    expect(found([line], "z", { regex: true })).toEqual([]);
    expect(found([line], "y{5}", { regex: true })).toEqual([0]);
    expect(found([line], "z")).toEqual([0]);
  });
});
