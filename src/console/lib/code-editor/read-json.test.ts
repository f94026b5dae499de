import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemWords, readJson, readJsonObject, readJsonObjects } from "./read-json.ts";

const said = (text: string) => {
  const read = readJson(text);
  return read.ok ? "JSON" : problemWords(read.problem);
};

describe("JSON that is being typed", () => {
  it.each([
    ["", "Line 1, column 1: empty"],
    ["{", "Line 1, column 2: unexpected end"],
    ['{\n  "a": 1,\n}', "Line 3, column 1: trailing comma"],
    ["[1, ]", "Line 1, column 5: trailing comma"],
    ['{"a": 1\n "b": 2}', "Line 2, column 2: missing comma"],
    ["{a: 1}", "Line 1, column 2: unquoted word; only true, false and null are allowed"],
    ["{'a': 1}", "Line 1, column 2: use double quotes for strings and keys"],
    ['{"a" 1}', "Line 1, column 6: missing colon after the key"],
    ['{"a": }', "Line 1, column 7: expected a value, found “}”"],
    ["{1: 2}", "Line 1, column 2: expected a key in double quotes"],
    ["[1] // one", "Line 1, column 5: comments are not allowed in JSON"],
    ["[1] [2]", "Line 1, column 5: unexpected text after the end"],
    ['{"a": "x\n"}', "Line 1, column 7: unclosed string or invalid escape"],
    ["[1}", "Line 1, column 3: missing comma"],
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
