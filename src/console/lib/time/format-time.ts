import { clockOf, dayUnlessToday, type Precision, type TimeReader, zoneMark } from "./format.ts";

/**
 * A moment (ms since 1970) as short as it is clear: `09:38:03` today, else `19 Nov, 09:38:03`, in another year with the
 * year; ` UTC` where that is not what the reader's own clock shows. Every time on the page is written by this or by
 * `formatMoment`.
 */
export function formatTime(ms: number, reader: TimeReader, precision: Precision = "second"): string {
  const day = dayUnlessToday(ms, reader);
  const clock = clockOf(ms, reader, precision);
  return `${day === null ? "" : `${day}, `}${clock}${zoneMark(ms, reader)}`;
}

/** The same within a sentence: `at 09:38:03`, `on 19 Nov at 09:38:03`. */
export function formatWhen(ms: number, reader: TimeReader): string {
  const day = dayUnlessToday(ms, reader);
  const clock = clockOf(ms, reader, "second");
  return `${day === null ? "" : `on ${day} `}at ${clock}${zoneMark(ms, reader)}`;
}
