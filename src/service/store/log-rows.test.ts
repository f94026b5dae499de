import fc from "fast-check";
import { expect, test } from "vitest";
import { inOrder, linesOf, logWrite, mostLines, stampOf } from "./log-rows.ts";

const line = fc.oneof(
  fc.constantFrom("", " ", "a\nb", "a\r\nb\rc", "\u0000", "\ud800", "x".repeat(20_000), "é\u2028\u0085"),
  fc.string({ unit: "binary" }),
);

test("Whatever lines are written are read again, each with its number", () => {
  fc.assert(
    fc.property(fc.array(fc.array(line, { maxLength: 1_200, size: "max" }), { maxLength: 4 }), (writes) => {
      const stored: { seq: number; text: string }[] = [];
      let before = 0;
      for (const given of writes) {
        const { count, bytes, rows } = logWrite(given);
        expect(count).toBe(given.length);
        stored.push(...rows.map(({ last, text }) => ({ seq: before + last, text })));
        before += count;
        const said = rows.flatMap(({ last, text }) => linesOf({ seq: last, text }));
        expect(said.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBe(bytes);
      }
      const read = stored.flatMap(linesOf);
      expect(read.map(({ seq }) => seq)).toEqual(writes.flat().map((_, index) => index + 1));
      expect(read.map(({ text }) => text)).toEqual(
        writes.flat().map((text) =>
          text
            .replaceAll("\u0000", "\uFFFD")
            .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
            .replaceAll(/\r\n|\r|\n/g, " "),
        ),
      );
    }),
    { numRuns: 30 },
  );
});

test("A row has few enough lines and characters that a reader of one line can bear it", () => {
  const short = logWrite(Array.from({ length: mostLines * 2 + 1 }, () => "x")).rows;
  expect(short.map(({ last }) => last)).toEqual([mostLines, mostLines * 2, mostLines * 2 + 1]);
  const long = logWrite(Array.from({ length: 9 }, () => "x".repeat(8_000))).rows;
  expect(long.map(({ last }) => last)).toEqual([4, 8, 9]);
  expect(logWrite(["x".repeat(40_000), "y"]).rows.map(({ last }) => last)).toEqual([1, 2]);
});

test("S-09: no line is dated before the one above it, whatever the clock did in between", () => {
  const at = (ms: number, text: string) => `${new Date(ms).toISOString()} [a] ${text}`;
  const lines = [at(5_000, "one"), at(1_000, "two"), "without a date", at(6_000, "three"), at(0, "four")];
  expect(inOrder(lines, null)).toEqual([
    at(5_000, "one"),
    at(5_000, "two"),
    "without a date",
    at(6_000, "three"),
    at(6_000, "four"),
  ]);
  expect(inOrder([at(5_000, "one")], stampOf(at(7_000, "")))).toEqual([at(7_000, "one")]);
});
