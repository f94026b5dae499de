import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAge, formatClock, formatDuration, formatSize, parseTime } from "./format.ts";

describe("durations", () => {
  it("are said in two units at most", () => {
    const said = [0, 400, 12_000, 62_000, 252_000, 3_840_000, 93_600_000].map((ms) => formatDuration(ms));
    expect(said).toEqual(["0 s", "0 s", "12 s", "1 m 02 s", "4 m 12 s", "1 h 04 m", "1 d 2 h"]);
    expect(formatDuration(29.4, { fine: true })).toBe("29 ms");
    expect(formatDuration(99.9, { fine: true })).toBe("100 ms");
    expect(formatDuration(400, { fine: true })).toBe("0.4 s");
    expect(formatDuration(13_840, { fine: true })).toBe("13.8 s");
    expect(formatDuration(59_980, { fine: true })).toBe("59 s");
  });

  it("C-11, C-12: are never negative and never NaN", () => {
    fc.assert(
      fc.property(fc.double(), fc.boolean(), (ms, fine) => {
        expect(formatDuration(ms, { fine })).not.toMatch(/NaN|Infinity|-/);
        expect(formatAge(ms)).not.toMatch(/^-/);
      }),
    );
  });
});

describe("times of a service", () => {
  it("are read with their zone, also with microseconds", () => {
    expect(parseTime("2026-11-20T09:38:03.123456+01:00")).toBe(Date.UTC(2026, 10, 20, 8, 38, 3, 123));
    expect(formatClock(Date.UTC(2026, 10, 20, 8, 38, 3), "utc")).toBe("08:38:03");
  });

  it("C-11: are no times without a zone, in the year 1 or 275760, or as anything but text", () => {
    for (const text of [
      "2026-11-20T09:38:03",
      "0001-01-01T00:00:00Z",
      "275760-09-13T00:00:00Z",
      "soon",
      "",
      null,
      5,
    ]) {
      expect(parseTime(text)).toBeNull();
    }
  });
});

describe("sizes", () => {
  it("are in kB and MB", () => {
    expect([0, 999, 18_240, 6_400_000, 999_999, 1e15].map(formatSize)).toEqual([
      "0 B",
      "999 B",
      "18.2 kB",
      "6.4 MB",
      "1.0 MB",
      "1000.0 TB",
    ]);
    expect(formatSize(-1)).toBe("size not given");
  });
});
