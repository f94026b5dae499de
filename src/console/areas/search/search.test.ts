import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchKinds } from "../../../contract/search.ts";
import { kindsOf, readEverywhereSearch } from "./search.ts";

describe("the address of a search", () => {
  it("keeps what is understood, in one order, and nothing else", () => {
    expect(readEverywhereSearch({ q: 42, in: "run,agent,nonsense", as: "pattern" })).toEqual({
      q: "42",
      in: "agent,run",
    });
    expect(readEverywhereSearch({ q: true, in: ["run"] })).toEqual({ q: "true", in: "run" });
    expect(readEverywhereSearch({ in: searchKinds.join(",") })).toEqual({});
  });

  it("is the same when it is read again, whatever came", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("q", "in", "as"), fc.jsonValue()), (raw) => {
        const once = readEverywhereSearch(raw);
        expect(readEverywhereSearch({ ...once })).toEqual(once);
        expect(kindsOf(once).length).toBeGreaterThan(0);
      }),
    );
  });
});
