export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** A tick in words, as short as it can be said: `20 ms`, `30 s`, `1 m`, `1 m 30 s`, `2 h`. */
export function tickWord(ms: number): string {
  if (ms === 0) return "0";
  if (ms < second / 10) return `${Math.round(ms)} ms`;
  if (ms < second) return `${Number((ms / second).toFixed(2))} s`;
  if (ms < minute) return `${ms / second} s`;
  if (ms < hour) {
    const rest = (ms % minute) / second;
    return `${Math.floor(ms / minute)} m${rest > 0 ? ` ${rest} s` : ""}`;
  }
  const rest = (ms % hour) / minute;
  return `${Math.floor(ms / hour)} h${rest > 0 ? ` ${rest} m` : ""}`;
}
