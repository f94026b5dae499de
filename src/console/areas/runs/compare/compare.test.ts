import { describe, expect, it } from "vitest";
import { compareLines } from "../../../lib/diff/compare-lines.ts";
import { countDiff, differences, diffItems } from "../../../lib/diff/items.ts";
import { shownParts } from "../../../lib/diff/words.tsx";
import { readCompareSearch } from "../search.ts";
import { isSameJson, pairValues, verdictOf } from "./compare.ts";

const many = Array.from({ length: 40 }, (_, at) => `step ${at} of the work`);
const good = [...many, "lane DE-AT, 369 rows", "lane NL-PL, 405 rows", "written", "run done"];
const bad = [...many, "lane DE-AT, 371 rows", "502, retry", "Fetch gave up"];
const compared = compareLines(good, bad, { even: true });

describe("what a comparison shows", () => {
  it("folds equal lines with their number, and keeps three around what differs", () => {
    const items = diffItems(compared, new Set());
    expect(items[0]).toEqual({ kind: "fold", row: 0, count: 37 });
    expect(items.slice(1, 4).map((item) => item.row)).toEqual([37, 38, 39]);
    expect(differences(items, compared)).toEqual([4]);
    expect(diffItems(compared, new Set([0])).filter((item) => item.kind === "fold")).toEqual([]);
  });

  it("says in one sentence where they part, and what was the same until then", () => {
    const inputs = pairValues({ from: 1, to: 2 }, { from: 3, to: 2 });
    expect(verdictOf(compared, inputs, () => "Fetch tariff")).toEqual({
      headline: "The runs diverge at line 42, in Fetch tariff.",
      proof: "Up to there, 1 line differs in values only. One input differs: from.",
    });
    expect(countDiff(compared).onlyA).toBeGreaterThan(0);
  });

  it("says when they do not part", () => {
    const same = compareLines(good, good, { even: true });
    expect(verdictOf(same, [], () => null).headline).toBe("The logs are identical.");
    const values = compareLines(["lane DE-AT, 369 rows"], ["lane DE-AT, 371 rows"], { even: true });
    expect(verdictOf(values, null, () => null).headline).toBe("Same steps; 1 line differs in values.");
  });

  it("compares values as JSON, whatever the order of their keys, and puts what differs first", () => {
    expect(isSameJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(isSameJson({ a: 1 }, { a: 1, b: undefined })).toBe(false);
    expect(isSameJson([1], { 0: 1 })).toBe(false);
    expect(pairValues({ a: 1, b: 2, toString: 1 }, { b: 3, toString: 1 }).map((row) => row.name)).toEqual([
      "a",
      "b",
      "toString",
    ]);
  });

  it("shows of two long texts the part where they differ, and counts what it leaves out", () => {
    expect(shownParts("one", "other", 10).b).toEqual({ text: "other", before: 0, after: 0 });
    const long = "x".repeat(5_000);
    const { a, b } = shownParts(`${long}left, and on`, `${long}right`, 200);
    expect(a).toEqual({ text: `${"x".repeat(100)}left, and on`, before: 4_900, after: 0 });
    expect(b.text.endsWith("right")).toBe(true);
    expect(shownParts(`a${long}`, "b", 200).a).toMatchObject({ before: 0, after: 4_801 });
    const cut = shownParts("\u{1f600}".repeat(10), "", 3).a;
    expect([cut.text, cut.after]).toEqual(["\u{1f600}", 18]);
  });

  it("reads what stands in its address, and nothing else", () => {
    expect(readCompareSearch({ a: 12, b: "run", show: "all", exact: "yes", tab: "log" })).toEqual({
      a: "12",
      b: "run",
      show: "all",
      exact: undefined,
      tab: "log",
    });
  });
});
