import { describe, expect, it } from "vitest";
import { formatRange, parseRange } from "../search.ts";

describe("lines in an address", () => {
  it("are one line or a range, in either order", () => {
    expect(parseRange(12)).toEqual({ from: 12, to: 12 });
    expect(parseRange("40-12")).toEqual({ from: 12, to: 40 });
    expect(formatRange({ from: 12, to: 12 })).toBe(12);
    expect(formatRange({ from: 12, to: 40 })).toBe("12-40");
  });

  it("are nothing where they cannot be read", () => {
    for (const raw of [undefined, null, "", 0, -3, "1-", "x", "1e9", "12-0", {}]) {
      expect(parseRange(raw)).toBeUndefined();
    }
  });
});
