import { describe, expect, it } from "vitest";
import { columnsOf, viewsOf } from "./ValuesViewer.tsx";

describe("the ways in which an output can be shown", () => {
  it("shows markdown laid out first, and plain words as text only", () => {
    expect(viewsOf("# Sales\n\n**5042.2** in all").views).toEqual(["markdown", "text"]);
    expect(viewsOf("Hello, Ada").views).toEqual(["text"]);
    expect(viewsOf("").views).toEqual(["text"]);
  });

  it("shows a list of records as a table, any other JSON as a tree", () => {
    const rows = [
      { month: "January", units: 120 },
      { month: "February", units: 95, note: "late" },
    ];
    expect(viewsOf(rows).views).toEqual(["table", "tree"]);
    expect(columnsOf(rows)).toEqual(["month", "units", "note"]);
    expect(viewsOf({ rows }).views).toEqual(["tree"]);
    expect(viewsOf([1, 2]).views).toEqual(["tree"]);
    expect(viewsOf([]).views).toEqual(["tree"]);
    expect(viewsOf([{ a: 1 }, { b: 1 }, { c: 1 }]).views).toEqual(["tree"]);
    expect(viewsOf(null).views).toEqual(["tree"]);
  });

  it("reads a text that is JSON, and leaves one alone that only looks like it", () => {
    const { views, json } = viewsOf(' [{"a": 1}]');
    expect(views).toEqual(["table", "tree", "text"]);
    expect(json).toEqual([{ a: 1 }]);
    expect(viewsOf("{broken").views).not.toContain("tree");
    expect(viewsOf("[x] done").views).not.toContain("tree");
  });
});
