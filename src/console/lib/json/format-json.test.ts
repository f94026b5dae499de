import { describe, expect, it } from "vitest";
import { formatJson } from "./format-json.ts";

describe("JSON set on lines", () => {
  it("puts each value on a line of its own, and leaves what is empty on one", () => {
    expect(formatJson('{"to":["a","b"],"cc":[],"more":{"x":{}}}')).toBe(
      '{\n  "to": [\n    "a",\n    "b"\n  ],\n  "cc": [],\n  "more": {\n    "x": {}\n  }\n}',
    );
  });

  it("keeps numbers, keys that come twice and punctuation inside texts as they were written", () => {
    const text = '{"id":12345678901234567890,"a":1.0,"a":"x, {\\"y\\": [1]}"}';
    expect(formatJson(text).replaceAll(/\n */g, "").replaceAll('": ', '":')).toBe(
      text.replaceAll('": ', '":'),
    );
  });

  it("C-08: shows characters that cannot be seen, and still says the same", () => {
    const text = JSON.stringify({ file: "gpj\u202e.exe", zero: "a\u200bb" });
    const shown = formatJson(text);
    expect(shown).toContain("\\u202e");
    expect(shown).toContain("\\u200b");
    expect(JSON.parse(shown)).toEqual(JSON.parse(text));
  });

  it("C-09: comes to an end with a text that is open a hundred thousand times", () => {
    expect(formatJson("[".repeat(100_000)).length).toBeLessThan(10_000_000);
  });
});
