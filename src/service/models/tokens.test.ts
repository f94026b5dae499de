import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, leastTokens } from "./tokens.ts";

describe("the estimate of a text's tokens", () => {
  // The numbers are those of the tokenizer o200k.
  it.each([
    [
      "English",
      37,
      "The harbour master checks every mooring line before noon, and writes down what has to be mended. Ships that arrive late wait at the outer berth until somebody has time for them.",
    ],
    [
      "code",
      34,
      "export function sum(values: readonly number[]): number {\n  let total = 0;\n  for (const value of values) total += value;\n  return total;\n}\n",
    ],
    [
      "JSON",
      49,
      '{"invoice_id":"inv_20391","lines":[{"sku":"ROPE-40","quantity":12,"price":18.5},{"sku":"BUOY-7","quantity":3,"price":220}],"paid":false}',
    ],
    [
      "a table",
      50,
      "| berth | ship | from | to |\n|---|---|---|---|\n| N4 | Aurora | 08:15 | 11:40 |\n| N9 | Bora | 09:00 | 17:25 |\n",
    ],
    ["numbers", 31, "1029,4417,88210,3.14159,2026-11-20,0.0025,99999,128000"],
    [
      "German",
      29,
      "Die Hafenordnung schreibt vor, dass jedes Schiff spätestens zwei Stunden vor dem Anlegen die Überprüfung der Festmacherleinen gemeldet haben muss.",
    ],
    ["Russian", 23, "Портовые правила требуют, чтобы каждое судно сообщило о проверке швартовных концов."],
    ["Chinese", 28, "港口规则要求每艘船舶在靠泊前至少两小时报告系泊缆绳的检查情况。"],
    ["hexadecimal digits", 43, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ["base64", 53, "TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsuIEFuZCB0b28gbWFueSBjb29rcyBzcG9pbCB0aGUgYnJvdGgu"],
  ])("is near the truth for %s, and rather too much than too little", (_, real, text) => {
    expect(estimateTokens(text) / real).toBeGreaterThan(0.85);
    expect(estimateTokens(text) / real).toBeLessThan(2.6);
  });

  it("never shrinks when text is added, and is never more than three for two characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, more) => {
        // A space or a letter may join what was apart, by one token at most.
        expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text) - 1);
        expect(estimateTokens(text)).toBeLessThanOrEqual(Math.ceil(text.length * 1.5));
      }),
    );
  });

  it("is never fewer than the characters tell", () => {
    const unit = fc.constantFrom("a", " ", " ", "B", "7", "{", "\n", "é", "保");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(leastTokens(text.length));
      }),
      { examples: [[" "], [" ".repeat(8)], [`${" ".repeat(8)}aaaaaa`], ["aaaaaa aaaaaa"]] },
    );
  });
});
