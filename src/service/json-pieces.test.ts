import { expect, test } from "vitest";
import type { JsonValue } from "./json.ts";
import { beginningOf, jsonPieces, measureJson } from "./json-pieces.ts";

const long = '🙂é"\\\n\u0001'.repeat(40_000);
const values: readonly (readonly [string, JsonValue])[] = [
  ["null", null],
  ["a number", -1.5e30],
  ["an empty text", ""],
  ["a long text, whose characters are pairs of surrogates", long],
  ["the same, one further", `x${long}`],
  ["halves of pairs", "\ud83d".repeat(70_000)],
  ["nothing", []],
  ["an empty object", {}],
  ["lists in lists", [[], [[]], [[], {}], { a: [] }]],
  ["names of all kinds", JSON.parse('{"__proto__":{"a":1},"constructor":[],"":null,"\\"":"x"}')],
  ["many", Array.from({ length: 100_000 }, (_, at) => ({ at, is: at % 2 === 0, none: null }))],
  ["what lies deep", Array.from({ length: 50_000 }).reduce<JsonValue>((inner) => [inner], "deep")],
];

test.each(values.slice(0, -1))("S-264: the JSON text of %s in pieces is what it is at once", (_, value) => {
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
});

test("S-264: no piece of a JSON text is long, or ends within a character", () => {
  for (const [, value] of values) {
    for (const piece of jsonPieces(value)) {
      // Each character of a text may take six.
      expect(piece.length).toBeLessThan(7 * 65_536);
      expect(piece).not.toMatch(/\p{Surrogate}/u);
    }
  }
});

test("S-264: a JSON text has its length and its beginning, also of what lies too deep for one call", async () => {
  for (const [, value] of values) {
    const text = [...jsonPieces(value)].join("");
    expect(await measureJson(value, 10)).toEqual({ size: text.length, beginning: text.slice(0, 10) });
    expect(beginningOf(value, 120)).toBe(text.slice(0, 120));
  }
});
