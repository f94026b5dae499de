import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOf, findInText, makeMatcher } from "./excerpt.ts";

const plain = (text: string) => makeMatcher({ text, regex: false });
const pattern = (text: string) => makeMatcher({ text, regex: true });
const marked = (line: string, matches: ReturnType<typeof plain>) => {
  const { text, marks } = excerptOf(line, matches(line) ?? []);
  return marks.map(([from, to]) => text.slice(from, to));
};

const letters = fc.string({ unit: fc.constantFrom("a", "B", "7", " ", "é", "İ", "😀", "\t") });

describe("what a result shows of a line", () => {
  it("is found wherever the text stands, in capitals or not", () => {
    fc.assert(
      fc.property(
        letters,
        fc.string({ unit: fc.constantFrom("a", "b", "7"), minLength: 1 }),
        (line, text) => {
          expect(plain(text)(line) !== null).toBe(line.toLowerCase().includes(text));
        },
      ),
    );
  });

  it("is marked exactly where it was found, however long the line is", () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.nat(2_000), fc.nat(400), (before, after, indent) => {
        const line = `${" ".repeat(indent)}${"x".repeat(before)}Lane 7${"y".repeat(after)}`;
        const { text, marks } = excerptOf(line, plain("lane 7")(line) ?? []);
        expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(["Lane 7"]);
        expect(text.length).toBeLessThan(330);
      }),
    );
  });

  it("marks what a pattern takes, also where it takes nothing", () => {
    expect(marked("order 12 and order 7", pattern("order \\d+"))).toEqual(["order 12", "order 7"]);
    expect(marked("abc", pattern("x*"))).toEqual([]);
    expect(pattern("x*")("abc")).toEqual([]);
    expect(pattern("z")("abc")).toBeNull();
    expect(() => pattern("(")).toThrow(SyntaxError);
  });

  it("marks nothing where small letters have another length", () => {
    expect(plain("7")("İ 7")).toEqual([]);
  });

  it("is the first of the lines that fit, with how many there are, without control characters", () => {
    const found = findInText('{\n  "lane": "NL-PL",\n  "also": "\u001b[31mnl-pl"\n}', plain("nl-pl"));
    expect(found).toEqual({ text: '"lane": "NL-PL",', marks: [[9, 14]], lines: 2 });
    expect(findInText("", plain("x"))).toBeNull();
  });
});
