import { inZone, partsOf, type TimeReader, type Zone, zoneMark } from "./format.ts";

/** The day of a moment, whenever it is read: `20 Nov 2026`. */
export function formatDate(ms: number, reader: Pick<TimeReader, "zone">): string {
  return `${partsOf(ms, reader.zone).date}${zoneMark(ms, reader)}`;
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** A day in words: `Friday 20 November`. */
export function formatDay(ms: number, reader: Pick<TimeReader, "zone">): string {
  const at = inZone(ms, reader.zone);
  const month = months[at.getUTCMonth()];
  return `${weekdays[at.getUTCDay()]} ${at.getUTCDate()} ${month}${zoneMark(ms, reader)}`;
}

/** A day of the calendar, `2026-11-20`, as `20 Nov`. */
export function formatCalendarDay(isoDay: string): string {
  return partsOf(Date.parse(`${isoDay}T12:00:00Z`), "utc").dayMonth;
}

/** The day of a moment in a zone, for machines: `2026-11-20`. */
export function isoDay(ms: number, zone: Zone): string {
  return inZone(ms, zone).toISOString().slice(0, 10);
}
