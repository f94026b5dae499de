export { formatDuration } from "../../../contract/duration.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in one unit: `8 s`, `3 m`, `1 h`, `2 d`. A time in the future counts as now. */
export function formatAge(ms: number): string {
  const age = Number.isFinite(ms) ? Math.max(0, ms) : 0;
  if (age < minute) return `${Math.floor(age / second)} s`;
  if (age < hour) return `${Math.floor(age / minute)} m`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  return `${Math.floor(age / day)} d`;
}

export type Zone = "local" | "utc";

/** For whom a time is written: `now` in ms since 1970, and the zone that the person has set. */
export interface TimeReader {
  readonly now: number;
  readonly zone: Zone;
}

/** How exact a clock is. */
export type Precision = "minute" | "second" | "millisecond";

/** A moment with its day and year, whenever it is read: `20 Nov 2026, 09:38:03`, with ` UTC` as in `formatTime` of format-time.ts. */
export function formatMoment(ms: number, reader: Pick<TimeReader, "zone">): string {
  const { date, clock } = partsOf(ms, reader.zone);
  return `${date}, ${clock}${zoneMark(ms, reader)}`;
}

/**
 * A mark on an axis of hours: `16:00`, with its day where that is not the day of the mark before it (`20 Nov 04:00`), and
 * `20 Nov` alone where a day begins.
 * @param reader `now` is the mark before it; for the first the present moment
 */
export function formatMark(ms: number, reader: TimeReader): string {
  const day = dayUnlessToday(ms, reader);
  const clock = clockOf(ms, reader, "minute");
  if (day === null) return clock;
  return clock === "00:00" ? day : `${day} ${clock}`;
}

/** ` UTC` where times are shown in UTC and that is not what the reader's own clock shows at that moment, else nothing. */
export function zoneMark(ms: number, { zone }: Pick<TimeReader, "zone">): string {
  return zone === "local" || new Date(ms).getTimezoneOffset() === 0 ? "" : " UTC";
}

/** The day of a moment; null where it is today. */
export function dayUnlessToday(ms: number, { zone, now }: TimeReader): string | null {
  const [at, today] = [partsOf(ms, zone), partsOf(now, zone)];
  if (at.date === today.date) return null;
  return at.year === today.year ? at.dayMonth : at.date;
}

/** A moment as a clock shows it. */
export function clockOf(ms: number, { zone }: TimeReader, precision: Precision): string {
  const { minute, clock } = partsOf(ms, zone);
  if (precision === "minute") return minute;
  if (precision === "second") return clock;
  const thousandths = ((Math.floor(ms) % second) + second) % second;
  return `${clock}.${String(thousandths).padStart(3, "0")}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

/** A date whose fields in UTC are those that the moment has in the zone. */
export const inZone = (ms: number, zone: Zone): Date =>
  new Date(zone === "utc" ? ms : ms - new Date(ms).getTimezoneOffset() * minute);

/**
 * What a moment is put together from, as `Intl.DateTimeFormat` for `en-GB` has it: the first of those on a page takes as
 * long to make as a list takes to be drawn.
 */
export function partsOf(ms: number, zone: Zone) {
  const at = inZone(ms, zone);
  const two = (value: number) => String(value).padStart(2, "0");
  const dayMonth = `${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
  const year = at.getUTCFullYear();
  const hourMinute = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  return {
    ...{ dayMonth, year, date: `${dayMonth} ${year}` },
    ...{ minute: hourMinute, clock: `${hourMinute}:${two(at.getUTCSeconds())}` },
  };
}

/** Times that a service could mean; others (year 1, year 275760) are shown as they came. */
const plausible = { from: Date.UTC(1990), to: Date.UTC(2200) };
const isoWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** An ISO 8601 time with a zone (§2.2) as ms since 1970, or null where it is none: then its text is shown as it came. */
export function parseTime(text: unknown): number | null {
  if (typeof text !== "string" || !isoWithZone.test(text)) return null;
  const ms = Date.parse(text);
  return ms >= plausible.from && ms <= plausible.to ? ms : null;
}
