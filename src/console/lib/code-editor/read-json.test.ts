import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemWords, readJson, readJsonObject, readJsonObjects } from "./read-json.ts";

const said = (text: string) => {
  const read = readJson(text);
  return read.ok ? "JSON" : problemWords(read.problem);
};

describe("JSON that is being typed", () => {
  it.each([
    ["", "Line 1, column 1: nothing is written"],
    ["{", "Line 1, column 2: the text ends too early"],
    ['{\n  "a": 1,\n}', "Line 3, column 1: a comma before the end"],
    ["[1, ]", "Line 1, column 5: a comma before the end"],
    ['{"a": 1\n "b": 2}', "Line 2, column 2: a comma is missing"],
    ["{a: 1}", "Line 1, column 2: a word without quotes; only true, false and null have none"],
    ["{'a': 1}", "Line 1, column 2: texts and keys stand in double quotes"],
    ['{"a" 1}', "Line 1, column 6: a colon is missing after the key"],
    ['{"a": }', "Line 1, column 7: “}” stands where a value is wanted"],
    ["{1: 2}", "Line 1, column 2: a key in double quotes is wanted"],
    ["[1] // one", "Line 1, column 5: JSON has no comments"],
    ["[1] [2]", "Line 1, column 5: something follows after the end"],
    ['{"a": "x\n"}', "Line 1, column 7: a text in quotes does not end on its line, or has a wrong escape"],
    ["[1}", "Line 1, column 3: a comma is missing"],
  ])("says at which line %j stops", (text, words) => {
    expect(said(text)).toBe(words);
  });

  it("takes only objects where an object is wanted, and lists of objects where those are", () => {
    expect(readJsonObject("{}").ok).toBe(true);
    expect(readJsonObject("[]").ok).toBe(false);
    expect(readJsonObjects("[{}]").ok).toBe(true);
    expect(readJsonObjects("[1]").ok).toBe(false);
    expect(readJsonObjects("{}").ok).toBe(false);
  });

  it("reads whatever is JSON, and finds a place inside the text or at its end for whatever is none", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((text) => text.slice(0, -1)),
        ),
        (text) => {
          const read = readJson(text);
          if (read.ok) {
            expect(read.value).toEqual(JSON.parse(text));
            return;
          }
          const { line, column } = read.problem;
          const lines = text.split("\n");
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        },
      ),
    );
  });

  it("C-09: survives a depth at which recursion would not", () => {
    expect(readJson("[".repeat(200_000)).ok).toBe(false);
  });
});
