const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A length of time in ms as `34 s`, `1 m 02 s`, `2 h 04 m`, `3 d 2 h`; never negative. Logs and pages write it alike.
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

const pad = (value: number) => String(value).padStart(2, "0");

/** A moment in a sentence for people of any zone: `2026-11-20 08:15:04 UTC`. @param at of the years 0 to 9999 */
export const momentText = (at: Date): string => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
