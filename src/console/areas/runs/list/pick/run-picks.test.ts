import { describe, expect, it } from "vitest";
import { RunPicks } from "./run-picks.ts";

function shown(...rows: string[]) {
  const picks = new RunPicks();
  picks.keep(rows);
  return picks;
}
const ids = (picks: RunPicks) => [...picks.state.get().ids].sort().join("");

describe("what is selected", () => {
  it("a range grows, shrinks and turns round, and leaves what was selected beside it", () => {
    const picks = shown("a", "b", "c", "d", "e", "f");
    picks.toggle("f");
    picks.toggle("c");
    picks.extendTo("e");
    expect(ids(picks)).toBe("cdef");
    picks.extendTo("d");
    expect(ids(picks)).toBe("cdf");
    picks.extendTo("a");
    expect(ids(picks)).toBe("abcf");
  });

  it("a range of the keyboard begins where the keyboard stands, not where the last one began", () => {
    const picks = shown("a", "b", "c", "d", "e");
    picks.toggle("a");
    picks.extendTo("d", "c");
    expect(ids(picks)).toBe("acd");
    picks.extendTo("e", "d");
    expect(ids(picks)).toBe("acde");
  });

  it("a range to what is not shown selects nothing", () => {
    const picks = shown("a", "b");
    picks.toggle("a");
    picks.extendTo("z");
    expect(ids(picks)).toBe("a");
  });

  it("stays when rows come in between, and says how many left with the list until something else is chosen", () => {
    const picks = shown("a", "b", "c");
    picks.all(true);
    picks.keep(["new", "a", "b", "c"]);
    expect(ids(picks)).toBe("abc");
    picks.keep(["new", "b"]);
    expect([ids(picks), picks.state.get().gone]).toEqual(["b", 2]);
    picks.keep(["new"]);
    expect([ids(picks), picks.state.get().gone]).toEqual(["", 3]);
    picks.toggle("new");
    expect([ids(picks), picks.state.get().gone]).toEqual(["new", 0]);
  });

  it("a range never brings back what left the list", () => {
    const picks = shown("a", "b", "c", "d");
    picks.toggle("a");
    picks.toggle("b");
    picks.keep(["b", "c", "d"]);
    picks.extendTo("c");
    expect(ids(picks)).toBe("bc");
    picks.keep(["a", "c", "d"]);
    picks.extendTo("d");
    expect(ids(picks)).toBe("cd");
  });

  it("is let go of as a whole, once", () => {
    const picks = shown("a");
    expect(picks.letGo()).toBe(false);
    picks.toggle("a");
    expect(picks.letGo()).toBe(true);
    expect(picks.letGo()).toBe(false);
  });
});
