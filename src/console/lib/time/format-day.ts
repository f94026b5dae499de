import { type TimeReader, timeZoneOf, write, type Zone, zoneMark } from "./format.ts";

/** The day of a moment, whenever it is read: `20 Nov 2026`. */
export function formatDate(ms: number, reader: Omit<TimeReader, "now">): string {
  return `${write("date", timeZoneOf(reader), ms)}${zoneMark(ms, reader)}`;
}

/** A day in words: `Friday 20 November`. */
export function formatDay(ms: number, reader: Omit<TimeReader, "now">): string {
  return `${write("weekday", timeZoneOf(reader), ms).replace(",", "")}${zoneMark(ms, reader)}`;
}

/** A day of the calendar, `2026-11-20`, as `20 Nov`. */
export function formatCalendarDay(isoDay: string): string {
  return write("dayMonth", "UTC", Date.parse(`${isoDay}T12:00:00Z`));
}

/** The day of a moment in a zone, for machines: `2026-11-20`. */
export function isoDay(ms: number, zone: Zone): string {
  const offset = zone === "utc" ? 0 : new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 10);
}
