const shortest = 1_000;
const longest = 600_000;

/**
 * How long a service asks to wait, from its `Retry-After` (seconds or HTTP-date; C-24).
 * @param date the answer's `Date` header, so that a wrong clock here does not matter; null: this clock is used
 * @param now milliseconds since 1970
 * @returns milliseconds within 1 s … 10 min; null where the header is absent or not readable
 */
export function readRetryAfter(header: string | null, date: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const text = header.trim();
  const seconds = Number(text);
  if (!Number.isNaN(seconds)) return clamp(seconds * 1_000);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const serverNow = date === null ? Number.NaN : Date.parse(date);
  return clamp(until - (Number.isNaN(serverNow) ? now : serverNow));
}

function clamp(ms: number): number {
  return Math.min(longest, Math.max(shortest, ms));
}
