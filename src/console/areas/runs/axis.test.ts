import { describe, expect, it } from "vitest";
import { ticks } from "./axis.ts";
import { tickWord } from "./tick-word.ts";

describe("an axis of time", () => {
  it("has round ticks, few enough to be read", () => {
    expect(ticks(252_000, 9).map(tickWord)).toEqual([
      "0",
      "30 s",
      "1 m",
      "1 m 30 s",
      "2 m",
      "2 m 30 s",
      "3 m",
      "3 m 30 s",
      "4 m",
    ]);
    expect(ticks(700, 5).map(tickWord)).toEqual(["0", "0.2 s", "0.4 s", "0.6 s"]);
    expect(ticks(300, 6).map(tickWord)).toEqual([
      ...["0", "50 ms", "0.1 s", "0.15 s", "0.2 s", "0.25 s", "0.3 s"],
    ]);
    expect(ticks(24, 9).map(tickWord)).toEqual(["0", "5 ms", "10 ms", "15 ms", "20 ms"]);
    expect(ticks(40 * 24 * 3_600_000, 6).length).toBeLessThanOrEqual(7);
  });

  it("has only its zero where there is no length", () => {
    expect(ticks(0, 5)).toEqual([0]);
    expect(ticks(Number.NaN, 5)).toEqual([0]);
  });
});
