/** A `…_ts` field: ISO 8601 with UTC offset, `2026-11-20T08:15:04.123+00:00`. */
export function timestamp(time: Date): string {
  return time.toISOString().replace("Z", "+00:00");
}
