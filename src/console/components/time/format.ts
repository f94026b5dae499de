export { parseTime } from "../../log/iso-time.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A length of time in ms as `34 s`, `1 m 02 s`, `2 h 04 m`, `3 d 2 h`; never negative.
 * `fine` gives tenths below a minute and `29 ms` below a tenth, for ended things; what ticks has whole seconds.
 */
export function formatDuration(ms: number, { fine = false } = {}): string {
  const length = Number.isFinite(ms) ? Math.max(0, ms) : 0;
  const tenths = Math.round(length / 100);
  if (fine && length < 100) return `${Math.round(length)} ms`;
  if (fine && tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const whole = Math.floor(length / second);
  if (whole < 60) return `${whole} s`;
  if (length < hour) return `${Math.floor(whole / 60)} m ${pad(whole % 60)} s`;
  if (length < day) return `${Math.floor(length / hour)} h ${pad(Math.floor((length % hour) / minute))} m`;
  return `${Math.floor(length / day)} d ${Math.floor((length % day) / hour)} h`;
}

/** How long ago, in one unit: `8 s`, `3 m`, `1 h`, `2 d`. A time in the future counts as now. */
export function formatAge(ms: number): string {
  const age = Number.isFinite(ms) ? Math.max(0, ms) : 0;
  if (age < minute) return `${Math.floor(age / second)} s`;
  if (age < hour) return `${Math.floor(age / minute)} m`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  return `${Math.floor(age / day)} d`;
}

export type Zone = "local" | "utc";

/** Made once: making a format costs more than using it a hundred times. */
const formats = (options: Intl.DateTimeFormatOptions): Readonly<Record<Zone, Intl.DateTimeFormat>> => ({
  local: new Intl.DateTimeFormat("en-GB", options),
  utc: new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }),
});
const clocks = formats({ timeStyle: "medium" });
const moments = formats({ dateStyle: "medium", timeStyle: "medium" });
const hours = formats({ hour: "2-digit", minute: "2-digit" });
const days = formats({ weekday: "long", day: "numeric", month: "long" });
const dayHours = formats({ weekday: "short", hour: "2-digit", minute: "2-digit" });

/** A moment as `09:38:03`, in the zone that the person chose. */
export function formatClock(ms: number, zone: Zone): string {
  return clocks[zone].format(ms);
}

/** A moment with its day: `20 Nov 2026, 09:38:03`. */
export function formatMoment(ms: number, zone: Zone): string {
  return moments[zone].format(ms);
}

/** A day in words: `Friday 20 November`. */
export function formatDay(ms: number, zone: Zone): string {
  return days[zone].format(ms).replace(",", "");
}

/** An hour on an axis: `16:00`, or `Fri 04:00` with its day. */
export function formatHour(ms: number, zone: Zone, withDay: boolean): string {
  return (withDay ? dayHours : hours)[zone].format(ms).replace(",", "");
}

/** A size in bytes as `18.2 kB`, `6.4 MB`. */
export function formatSize(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return "size not given";
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let at = 0;
  for (; value >= 999.95 && at < units.length - 1; at++) value /= 1000;
  return `${value.toFixed(1)} ${units[at]}`;
}

const pad = (value: number) => String(value).padStart(2, "0");
