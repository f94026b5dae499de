import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { formatSize } from "../files.ts";
import { formatAge, formatDuration, formatMark, formatMoment, parseTime } from "./format.ts";
import { formatDate, formatDay } from "./format-day.ts";
import { formatTime, formatWhen } from "./format-time.ts";

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

const utc = (text: string) => Date.parse(`${text}Z`);

/** Moves this browser to another zone. */
const liveIn = (zone: string) => void vi.stubEnv("TZ", zone);

describe("a moment", () => {
  afterEach(() => void vi.unstubAllEnvs());
  const berlin = { zone: "local", home: "Europe/Berlin" } as const;
  const newYork = { zone: "local", home: "America/New_York" } as const;
  const kathmandu = { zone: "local", home: "Asia/Kathmandu" } as const;
  const london = { zone: "utc", home: "Europe/London" } as const;

  it.each([
    ["today", berlin, "2026-11-20T13:47:09", "2026-11-20T15:00:00", "14:47:09"],
    ["yesterday", berlin, "2026-11-19T13:47:09", "2026-11-20T15:00:00", "19 Nov, 14:47:09"],
    [
      "a minute ago, before midnight",
      berlin,
      "2026-11-19T22:59:30",
      "2026-11-19T23:00:30",
      "19 Nov, 23:59:30",
    ],
    [
      "after midnight here, before it in UTC",
      berlin,
      "2026-11-19T23:30:00",
      "2026-11-20T15:00:00",
      "00:30:00",
    ],
    [
      "before midnight here, after it in UTC",
      newYork,
      "2026-11-20T03:00:00",
      "2026-11-20T15:00:00",
      "19 Nov, 22:00:00",
    ],
    [
      "in a zone with a quarter of an hour",
      kathmandu,
      "2026-11-19T18:14:59",
      "2026-11-19T18:15:00",
      "19 Nov, 23:59:59",
    ],
    ["before the clocks go forward", berlin, "2026-03-29T00:59:59", "2026-03-29T01:00:00", "01:59:59"],
    ["a day of 23 hours ago", berlin, "2026-03-28T23:00:00", "2026-03-29T21:59:59", "00:00:00"],
    [
      "the day before one of 23 hours",
      berlin,
      "2026-03-28T22:59:59",
      "2026-03-29T21:59:59",
      "28 Mar, 23:59:59",
    ],
    ["a day of 25 hours ago", berlin, "2026-10-24T22:00:00", "2026-10-25T22:59:59", "00:00:00"],
    [
      "the day before one of 25 hours",
      berlin,
      "2026-10-24T21:59:59",
      "2026-10-25T22:59:59",
      "24 Oct, 23:59:59",
    ],
    [
      "the same day of another year",
      berlin,
      "2025-11-20T13:47:09",
      "2026-11-20T15:00:00",
      "20 Nov 2025, 14:47:09",
    ],
    [
      "last year, a minute ago",
      berlin,
      "2026-12-31T22:59:30",
      "2026-12-31T23:00:30",
      "31 Dec 2026, 23:59:30",
    ],
    [
      "this year, in UTC still the last",
      berlin,
      "2026-12-31T23:10:00",
      "2027-01-05T12:00:00",
      "1 Jan, 00:10:00",
    ],
    ["to come", berlin, "2026-11-23T07:00:00", "2026-11-20T15:00:00", "23 Nov, 08:00:00"],
    [
      "in UTC for somebody in Berlin",
      { ...berlin, zone: "utc" },
      "2026-11-20T13:47:09",
      "2026-11-20T15:00:00",
      "13:47:09 UTC",
    ],
    [
      "in UTC, where the day is another one",
      { ...newYork, zone: "utc" },
      "2026-11-20T03:00:00",
      "2026-11-21T02:00:00",
      "20 Nov, 03:00:00 UTC",
    ],
    [
      "in UTC for somebody in London in winter",
      london,
      "2026-01-20T13:47:09",
      "2026-01-20T15:00:00",
      "13:47:09",
    ],
    [
      "in UTC for somebody in London in summer",
      london,
      "2026-07-20T13:47:09",
      "2026-07-20T15:00:00",
      "13:47:09 UTC",
    ],
  ] as const)("%s has its day and zone where they are needed", (_what, { home, zone }, at, now, shown) => {
    liveIn(home);
    expect(formatTime(utc(at), { zone, now: utc(now) })).toBe(shown);
  });

  it("stands in a sentence, has its day and year on hover, and thousandths in a log", () => {
    liveIn("Europe/Berlin");
    const reader = { zone: "local", now: utc("2026-11-20T15:00:00") } as const;
    const yesterday = utc("2026-11-19T13:47:09.007");
    expect(formatWhen(yesterday, reader)).toBe("on 19 Nov at 14:47:09");
    expect(formatWhen(reader.now, reader)).toBe("at 16:00:00");
    expect(formatMoment(yesterday, { ...reader, zone: "utc" })).toBe("19 Nov 2026, 13:47:09 UTC");
    expect(formatDay(yesterday, { ...reader, zone: "utc" })).toBe("Thursday 19 November UTC");
    expect(formatTime(yesterday, reader, "millisecond")).toBe("19 Nov, 14:47:09.007");
    expect(formatTime(yesterday, reader, "minute")).toBe("19 Nov, 14:47");
  });

  it("on an axis has its day where that changes", () => {
    const hours = ["2026-11-19T15:00", "2026-11-19T19:00", "2026-11-19T23:00", "2026-11-20T03:00"].map(utc);
    const now = utc("2026-11-20T15:00:00");
    liveIn("Europe/Berlin");
    const marks = hours.map((at, index) => formatMark(at, { zone: "local", now: hours[index - 1] ?? now }));
    expect(marks).toEqual(["19 Nov 16:00", "20:00", "20 Nov", "04:00"]);
  });

  it("never reads the same as one of another day", () => {
    const time = fc.integer({ min: Date.UTC(2020), max: Date.UTC(2030) }).map((ms) => ms - (ms % 1_000));
    const home = fc.constantFrom(
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kathmandu",
      "Pacific/Chatham",
      "UTC",
    );
    fc.assert(
      fc.property(time, fc.integer({ min: -400, max: 400 }), time, home, (at, days, now, zone) => {
        fc.pre(days !== 0);
        liveIn(zone);
        const reader = { zone: "local", now } as const;
        expect(formatTime(at, reader)).not.toBe(formatTime(at + days * 86_400_000, reader));
      }),
    );
  });
});

describe("a moment in the browser's own zone and in UTC", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each(["America/New_York", "Pacific/Chatham", "Europe/London", "UTC"])(
    "%s: is written as the browser would write it",
    (home) => {
      liveIn(home);
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(home);
      const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options);
      const clock = format({ timeStyle: "medium" });
      const moment = format({ dateStyle: "medium", timeStyle: "medium" });
      const date = format({ dateStyle: "medium" });
      const day = format({ weekday: "long", day: "numeric", month: "long" });
      const inUtc = format({ dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
      const time = fc.integer({ min: Date.UTC(1990), max: Date.UTC(2200) });
      fc.assert(
        fc.property(time, (ms) => {
          expect(formatMoment(ms, { zone: "local" })).toBe(moment.format(ms));
          expect(formatTime(ms, { zone: "local", now: ms })).toBe(clock.format(ms));
          expect(formatDate(ms, { zone: "local" })).toBe(date.format(ms));
          expect(formatDay(ms, { zone: "local" })).toBe(day.format(ms).replace(",", ""));
          expect(formatMoment(ms, { zone: "utc" }).replace(/ UTC$/, "")).toBe(inUtc.format(ms));
        }),
      );
    },
  );
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
    expect(formatSize(-1)).toBe("unknown size");
  });
});
