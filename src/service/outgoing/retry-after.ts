/**
 * How long another service asks to wait, from its answer's `Retry-After` (RFC 9110 §10.2.3).
 * @param headers `date`: a date of the header is one of the clock that sent it, which need not be ours
 * @returns milliseconds, 0 for a date in the past; null without a header that can be read
 */
export function readRetryAfter(headers: {
  readonly [name: string]: string | null | undefined;
}): number | null {
  const value = headers["retry-after"]?.trim();
  if (value === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  const sentAt = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? null : Math.max(0, date - (Number.isNaN(sentAt) ? Date.now() : sentAt));
}
