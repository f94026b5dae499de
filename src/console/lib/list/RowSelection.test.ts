import { describe, expect, it } from "vitest";
import { RowSelection } from "./RowSelection.ts";

function shown(...rows: string[]) {
  const selection = new RowSelection();
  selection.setRows(rows);
  return selection;
}
const ids = (selection: RowSelection) => [...selection.state.get().ids].sort().join("");

describe("what is selected", () => {
  it("a range grows, shrinks and turns round, and leaves what was selected beside it", () => {
    const selection = shown("a", "b", "c", "d", "e", "f");
    selection.toggle("f");
    selection.toggle("c");
    selection.extendTo("e");
    expect(ids(selection)).toBe("cdef");
    selection.extendTo("d");
    expect(ids(selection)).toBe("cdf");
    selection.extendTo("a");
    expect(ids(selection)).toBe("abcf");
  });

  it("a range of the keyboard begins where the keyboard stands, not where the last one began", () => {
    const selection = shown("a", "b", "c", "d", "e");
    selection.toggle("a");
    selection.extendTo("d", "c");
    expect(ids(selection)).toBe("acd");
    selection.extendTo("e", "d");
    expect(ids(selection)).toBe("acde");
  });

  it("a range to what is not shown selects nothing", () => {
    const selection = shown("a", "b");
    selection.toggle("a");
    selection.extendTo("z");
    expect(ids(selection)).toBe("a");
  });

  it("a range never begins at a row that cannot be selected", () => {
    const selection = shown("a", "b", "c");
    selection.extendTo("fixed");
    selection.extendTo("b");
    expect(ids(selection)).toBe("b");
    selection.extendTo("c");
    expect(ids(selection)).toBe("bc");
  });

  it("a range of the keyboard that leaves a row that cannot be selected begins at the next one", () => {
    const selection = shown("a", "b", "c");
    selection.extendTo("b", "fixed");
    expect(ids(selection)).toBe("b");
    selection.extendTo("c", "b");
    expect(ids(selection)).toBe("bc");
  });

  it("stays when rows come in between, and says how many left with the list until something else is chosen", () => {
    const selection = shown("a", "b", "c");
    selection.all(true);
    selection.setRows(["new", "a", "b", "c"]);
    expect(ids(selection)).toBe("abc");
    selection.setRows(["new", "b"]);
    expect([ids(selection), selection.state.get().gone]).toEqual(["b", 2]);
    selection.setRows(["new"]);
    expect([ids(selection), selection.state.get().gone]).toEqual(["", 3]);
    selection.toggle("new");
    expect([ids(selection), selection.state.get().gone]).toEqual(["new", 0]);
  });

  it("a range never brings back what left the list", () => {
    const selection = shown("a", "b", "c", "d");
    selection.toggle("a");
    selection.toggle("b");
    selection.setRows(["b", "c", "d"]);
    selection.extendTo("c");
    expect(ids(selection)).toBe("bc");
    selection.setRows(["a", "c", "d"]);
    selection.extendTo("d");
    expect(ids(selection)).toBe("cd");
  });

  it("is let go of as a whole, once", () => {
    const selection = shown("a");
    expect(selection.clear()).toBe(false);
    selection.toggle("a");
    expect(selection.clear()).toBe(true);
    expect(selection.clear()).toBe(false);
  });
});
