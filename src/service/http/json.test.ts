import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { ServiceError } from "../service-error.ts";
import { parseBody, parseBodyInSteps } from "./json.ts";

function refusal(text: string): ServiceError["facts"] & { readonly code: string } {
  try {
    parseBody(text);
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, ...error.facts };
    throw error;
  }
  throw new Error("it was accepted");
}

test("any JSON that the database can keep comes out as it went in", () => {
  const value = fc
    .jsonValue({ stringUnit: "binary" })
    .filter((json) => !JSON.stringify(json).includes("\\u0000"));
  // As text: JSON has no -0.
  const again = (json: unknown) => JSON.stringify(parseBody(JSON.stringify(json)));
  fc.assert(fc.property(value, (json) => void expect(again(json)).toBe(JSON.stringify(json))));
});

test("S-296: of many long texts that come at once, no two are built in the same turn of the event loop", async () => {
  const texts = Array.from({ length: 20 }, (_, at) => JSON.stringify({ text: `${at} `.repeat(150_000) }));
  const builtIn: number[] = [];
  let turn = 0;
  let isOver = false;
  const counted = (async () => {
    for (; !isOver; turn++) await nextTurn();
  })();
  const { parse } = JSON;
  const spy = vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    builtIn.push(turn);
    return parse(text, reviver);
  });
  try {
    await Promise.all(texts.map(parseBodyInSteps));
  } finally {
    spy.mockRestore();
    isOver = true;
  }
  await counted;
  expect(builtIn).toHaveLength(texts.length);
  expect(new Set(builtIn).size).toBe(texts.length);
});

test("no text makes it throw anything but a refusal", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "\\",
    "a",
    "1",
    " ",
    "null",
    "\\u0000",
    "\ud800",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      try {
        parseBody(parts.join(""));
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }),
  );
});

test("a missing body is read as an object without fields", () => {
  expect(parseBody("")).toEqual({});
});

test("S-33 S-34: keys that mean something to JavaScript are plain data", () => {
  const value = parseBody(
    '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"a":{"__proto__":{"x":1}}}',
  );
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor", "a"]);
  expect(({} as { x?: number }).x).toBeUndefined();
});

describe("S-44: what is refused, and how it is named", () => {
  test.each<[string, string, RegExp, string | undefined]>([
    ["text that is no JSON", "{a:1}", /not valid JSON/, undefined],
    ["JSON that ends early", '{"a":"b', /not valid JSON/, undefined],
    ["a byte order mark", '\ufeff{"a":1}', /not valid JSON/, undefined],
    ["ten thousand levels", "[".repeat(10_000) + "]".repeat(10_000), /deeper than 100/, undefined],
    ["NUL in a text", '{"a":{"b":["x\\u0000y"]}}', /NUL/, "a.b.0"],
    ["NUL in a key", '{"a":{"\\u0000":1}}', /NUL/, "a"],
    ["half of a surrogate pair", '{"a":"\\ud83d"}', /surrogate/, "a"],
    ["a number beyond all numbers", '{"a":1e400}', /too large/, "a"],
    ["a whole number that would be rounded", '{"b":1,"a":{"n":[9007199254740993]}}', /too large/, "a.n.0"],
    ["one below zero", '{"a":-12345678901234567890}', /exactly: send it as text/, "a"],
    ["a key twice", '{"a":1,"a":2}', /same key twice/, undefined],
    ["a key twice, once escaped", '{"a":1,"\\u0061":2}', /same key twice/, undefined],
    ["a key twice deep inside", '{"x":[{"a":1,"b":":,{","a":2}]}', /same key twice/, undefined],
    ["a key of a megabyte", `{"${"k".repeat(1_000_000)}":1}`, /key is longer/, undefined],
    [
      "twenty thousand different keys and one",
      `[${Array.from({ length: 20_001 }, (_, index) => `{"k${index}":1}`).join(",")}]`,
      /more than 20000 different keys/,
      undefined,
    ],
    ["a million empty lists within each other", "[[[[[],[]]]]".repeat(100_000), /nested deeper/, undefined],
    ["a million lists", `[${"[[[[]]]],".repeat(100_000)}0]`, /more than 200000 values/, undefined],
    [
      "a million keys",
      `{${Array.from({ length: 1e6 }, (_, index) => `"k${index}":1`).join(",")}}`,
      /more than 20000/,
      undefined,
    ],
  ])("%s", (_, text, message, param) => {
    const error = refusal(text);
    expect(error.code).toBe("invalid_body");
    expect(error.message).toMatch(message);
    expect(error.param).toBe(param);
  });
});

test.each([
  "9007199254740992",
  "123456789012345680000",
  "-9007199254740994",
  "100000000000000000000",
  "1e22",
  "0.12345678901234567890",
  "1.5e300",
])("S-403: a number such as %s, which is kept as it was sent, is taken", (literal) => {
  const sent = `{"text":"9007199254740993","n":[${literal}, 9007199254740991]}`;
  expect(parseBody(sent)).toEqual({ text: "9007199254740993", n: [Number(literal), 9007199254740991] });
});

test("S-403: ten megabytes of digits are judged without stalling the process", () => {
  const began = process.cpuUsage();
  const digits = "9".repeat(9_900_000);
  expect(refusal(`{"a":${digits}}`)).toMatchObject({ param: "a" });
  expect(refusal(`{"a":${"0".repeat(9_900_000)}9007199254740993}`).message).toMatch(/not valid JSON/);
  expect(refusal(`{"a":[${"9007199254740992,".repeat(150_000)}9007199254740993]}`).param).toBe("a.150000");
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
});

test("S-44: a body of ten megabytes is judged without stalling the process", () => {
  const began = process.cpuUsage();
  expect(refusal(`{"a":"${"x".repeat(9_900_000)}`).message).toMatch(/not valid JSON/);
  expect(refusal(`[${"[],".repeat(3_000_000)}[]]`).message).toMatch(/more than/);
  // Of work, not of time: the machine may do other things. 100 ms where it does nothing else.
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000);
});
