import { expect, test } from "vitest";
import { creditWords, decimal, formatCredits, tokenWords } from "./format-usage.ts";

test("credits have at most two decimal places, and a comma before each thousand", () => {
  expect([0, 0.004, 0.5, 38.4, 38.456, 999.999, 1234.5, 1_234_567.89].map(formatCredits)).toEqual([
    ...["0", "0", "0.5", "38.4", "38.46", "1,000", "1,234.5", "1,234,567.89"],
  ]);
  expect([creditWords(1), creditWords(0.999), creditWords(1.5)]).toEqual([
    "1 credit",
    "1 credit",
    "1.5 credits",
  ]);
});

test("tokens are said in thousands and millions", () => {
  expect([1, 820, 1_000, 38_449, 999_949, 999_950, 1_234_567].map(tokenWords)).toEqual([
    ...["1 token", "820 tokens", "1k tokens", "38.4k tokens", "999.9k tokens", "1M tokens", "1.2M tokens"],
  ]);
});

test("a number is written as the language has it", () => {
  for (let hundredths = 0; hundredths < 500_000; hundredths += 37) {
    const value = hundredths / 100;
    expect(decimal(value, 2)).toBe(value.toLocaleString("en-GB", { maximumFractionDigits: 2 }));
  }
});
