import { describe, expect, it } from "vitest";
import { scripts } from "../../../../testing/hostile/payloads.ts";
import { readTable } from "../worker/tables.ts";
import { thumbnailTextOf } from "./thumbnail-text.ts";

describe("the beginning of a file, for its thumbnail", () => {
  it("is a table of its first columns", () => {
    expect(thumbnailTextOf('a,"b, c",d,e,f\n1,2,3,4,5\n', "csv")).toEqual({
      kind: "table",
      rows: [
        ["a", "b, c", "d", "e"],
        ["1", "2", "3", "4"],
      ],
    });
  });

  it("has no more columns than the table", () => {
    expect(thumbnailTextOf('a,b\n1,\n"x, y","z"\n', "csv")).toEqual({
      kind: "table",
      rows: [
        ["a", "b"],
        ["1", ""],
        ["x, y", "z"],
      ],
    });
  });

  it("is split as its preview is: by one separator for all of its lines", () => {
    const rows = [
      ["name", "note"],
      ["Ada", "paper; ink"],
      ["Bob", "tab\there"],
    ];
    const text = "name,note\nAda,paper; ink\nBob,tab\there\n";
    expect(thumbnailTextOf(text, "csv")).toEqual({ kind: "table", rows });
    expect([readTable(text).facts.header, ...readTable(text).rows]).toEqual(rows);
    const prices = "port;tons\nOslo;1,5\nBergen;2,25\n";
    expect(thumbnailTextOf(prices, "csv")).toMatchObject({ rows: [["port", "tons"], ["Oslo", "1,5"], {}] });
    const piped = "port|tons\nOslo|1\nBergen|2\n";
    expect(thumbnailTextOf(piped, "csv")).toMatchObject({ rows: [["port", "tons"], ["Oslo", "1"], {}] });
  });

  it("is the words of a text without its marks", () => {
    const found = thumbnailTextOf("# Title\n\nSome **strong** [link](https://x.test)\n", "markdown");
    expect(found).toMatchObject({
      lines: [
        { text: "Title", isTitle: true },
        { text: "Some strong link", isTitle: false },
      ],
    });
  });

  it("has the cells of a table and the words of a block of code, without what frames them", () => {
    const text = "| Port | Tons |\n| --- | ---: |\n| Oslo | 95.5 |\n\n```js\nconst a = 1;\n```\n";
    expect(thumbnailTextOf(text, "markdown")).toMatchObject({
      lines: [{ text: "Port · Tons" }, { text: "Oslo · 95.5" }, { text: "const a = 1;" }],
    });
  });

  it("is JSON laid out, and as it was written where only its beginning was read", () => {
    expect(thumbnailTextOf('{"a":1}', "json")).toMatchObject({
      isCode: true,
      lines: [{ text: "{" }, { text: '  "a": 1' }, { text: "}" }],
    });
    expect(thumbnailTextOf('{"a":[1', "json")).toMatchObject({ lines: [{ text: '{"a":[1' }] });
  });

  it("C-10: has the words of a page and none of its markup or scripts", () => {
    for (const script of scripts) {
      const found = thumbnailTextOf(`<h1>Seen</h1>${script}`, "html");
      expect(found).toMatchObject({ kind: "lines" });
    }
    expect(thumbnailTextOf("<style>x</style><script>y</script>", "html")).toBeNull();
  });
});
