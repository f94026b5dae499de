import { type RawBuilder, sql } from "kysely";

/** A `…_ts` field: ISO 8601 with UTC offset, `2026-11-20T08:15:04.123+00:00`. */
export function timestamp(time: Date): string {
  return time.toISOString().replace("Z", "+00:00");
}

/**
 * A time of a query, which the contract has checked, as a parameter of a comparison. PostgreSQL refuses some of what
 * ISO 8601 can say (the year 0000, an offset of 23 hours, the 30th of February), and none of it as a date.
 */
export function timeOf(text: string): Date {
  return new Date(text.replace(" ", "T"));
}

/** The same to the microsecond, which a `Date` would lose. */
export function exactTimeOf(text: string): RawBuilder<Date> {
  const [, beyond = ""] = /\.\d{3}(\d{1,3})/.exec(text) ?? [];
  const microseconds = Number(beyond.padEnd(3, "0"));
  return sql<Date>`(${timeOf(text)}::timestamptz + ${microseconds}::integer * interval '1 microsecond')`;
}
