import { expect, test } from "vitest";
import { deepest, sanitizeJson, tooDeep } from "./sanitize-json.ts";

const sanitized = (text: string) => sanitizeJson(JSON.parse(text), text);

test("C-03 a key named __proto__ never becomes a prototype, however it is written", () => {
  for (const name of ["__proto__", "\\u005f_proto__", "__\\u0070roto__"]) {
    const value = sanitized(`{"a": [{"${name}": {"polluted": true}, "b": 1}]}`);
    expect(value).toEqual({ a: [{ b: 1 }] });
    expect(Object.assign({}, (value as { a: object[] }).a[0])).not.toHaveProperty("polluted");
  }
});

test("C-01 half a surrogate pair becomes a mark that an address can carry; whole pairs stay", () => {
  const value = sanitized('{"id": "run\\ud800_1", "deep": ["\\udfff", "\\ud83d\\ude00"]}') as { id: string };
  expect(value).toEqual({ id: "run\uFFFD_1", deep: ["\uFFFD", "😀"] });
  expect(() => encodeURIComponent(value.id)).not.toThrow();
});

test("C-09 what nests deeper than can be drawn is left out with a word; its neighbours stay", () => {
  const deep = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
  const value = sanitized(
    `{"deep": ${deep}, "list": ${"[".repeat(10_000)}${"]".repeat(10_000)}, "near": {"b": 1}}`,
  );
  expect(value).toHaveProperty("near", { b: 1 });
  const text = JSON.stringify(value);
  expect(text.split(tooDeep)).toHaveLength(3);
  expect(structuredClone(value)).toEqual(value);
});

test("what is as deep as may be stays whole", () => {
  const text = `${"[".repeat(deepest)}1${"]".repeat(deepest)}`;
  expect(JSON.stringify(sanitized(text))).toBe(text);
});
