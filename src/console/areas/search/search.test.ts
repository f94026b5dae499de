import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds, kindsOf, readEverywhereSearch } from "./search.ts";

describe("the address of a search", () => {
  it("keeps what is understood, in one order, and nothing else", () => {
    expect(readEverywhereSearch({ q: 42, in: "log,inputs,nonsense", as: "pattern", more: "2" })).toEqual({
      q: "42",
      in: "inputs,log",
      as: "pattern",
      more: 2,
    });
    expect(readEverywhereSearch({ q: true, in: ["log"], as: "x", more: -1 })).toEqual({
      q: "true",
      in: "log",
      as: undefined,
      more: undefined,
    });
    expect(readEverywhereSearch({ in: kinds.join(","), more: 9_999 })).toEqual({ more: 40 });
  });

  it("is the same when it is read again, whatever came", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("q", "in", "as", "more"), fc.jsonValue()), (raw) => {
        const once = readEverywhereSearch(raw);
        expect(readEverywhereSearch({ ...once })).toEqual(once);
        expect(kindsOf(once).length).toBeGreaterThan(0);
      }),
    );
  });
});
