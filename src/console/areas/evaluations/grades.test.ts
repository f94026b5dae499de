import { describe, expect, it } from "vitest";
import { againstBefore, gradeWords, lessCounts, percent, readCounts, sumOf } from "./grades.tsx";

describe("grades as counts", () => {
  it("reads what is a count, known grades first, and leaves out the rest", () => {
    const counts = readCounts({
      odd: 2,
      needs_attention: 1,
      pass: 3,
      needs_review: 0,
      broken: "4",
      minus: -1,
      half: 1.5,
    });
    expect([...counts]).toEqual([
      ["pass", 3],
      ["needs_attention", 1],
      ["odd", 2],
    ]);
    expect(sumOf(counts)).toBe(6);
    expect([...readCounts(null)]).toEqual([]);
  });

  it("takes one window out of another without going below zero", () => {
    const left = lessCounts(
      readCounts({ pass: 5, needs_review: 1 }),
      readCounts({ pass: 2, needs_review: 4 }),
    );
    expect([...left]).toEqual([["pass", 3]]);
  });

  it("compares shares, and says where there are too few to compare", () => {
    expect(againstBefore(45, 50, 42, 50)).toBe("up from 84 %");
    expect(againstBefore(5, 50, 6, 50)).toBe("down from 12 %");
    expect(againstBefore(25, 50, 50, 100)).toBe("no change");
    expect(againstBefore(3, 19, 5, 50)).toBe("5 of 50 before, too few");
    expect(againstBefore(3, 50, 0, 0)).toBe("no earlier results");
  });

  it("calls nearly all not all, and hardly any not none", () => {
    expect([percent(299, 300), percent(1, 300)]).toEqual([99, 1]);
    expect([percent(300, 300), percent(0, 300), percent(0, 0), percent(1, 2)]).toEqual([100, 0, 0, 50]);
  });

  it("shows a grade that no document names as it came", () => {
    expect(gradeWords("splendid")).toEqual({ tone: "unknown", title: "splendid" });
  });
});
