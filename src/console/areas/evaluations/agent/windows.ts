import { isoDay, type Zone } from "../../../lib/time/format.ts";
import { type GradeCounts, lessCounts } from "../grades.ts";
import type { DayOfGrades } from "./results.ts";

/** Windows that are asked for, so that few requests give a trend: days back from now. */
const steps: Readonly<Record<number, readonly number[]>> = {
  7: [1, 2, 3, 4, 5, 6, 7],
  30: [1, 2, 3, 5, 7, 10, 14, 18, 22, 26, 30],
  90: [3, 7, 14, 21, 30, 45, 60, 75, 90],
};

/** So many bars has any other period at most. */
const mostWindows = 10;

/** The windows of §4.10 whose differences make the trend of a period. */
export function windowsOf(days: number): readonly number[] {
  const even = Array.from({ length: mostWindows }, (_, at) => Math.ceil((days * (at + 1)) / mostWindows));
  return steps[days] ?? [...new Set(even)];
}

/** A trend from windows that all end now: each bar is what one window has and the next shorter one has not. */
export function daysOfWindows(
  windows: readonly { readonly days: number; readonly counts: GradeCounts }[],
  now: number,
  zone: Zone,
): readonly DayOfGrades[] {
  const sorted = [...windows].sort((a, b) => a.days - b.days);
  return sorted
    .map(({ days, counts }, at) => {
      const shorter = sorted[at - 1];
      return {
        day: isoDay(now - (days - 1) * 86_400_000, zone),
        days: days - (shorter?.days ?? 0),
        counts: shorter ? lessCounts(counts, shorter.counts) : counts,
      };
    })
    .reverse();
}
