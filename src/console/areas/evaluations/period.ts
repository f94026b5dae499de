import { countParam } from "../../lib/search-params.ts";

/** So far back the metrics of evaluations reach, in days (§8). */
export const longestPeriod = 365;
/** The period without which none is named in an address. */
export const usualPeriod = 30;

/** A period of the address, 1 to 365 days; undefined for the usual one, and for what is none. */
export function periodParam(value: unknown): number | undefined {
  const days = countParam(value);
  return days === undefined || days > longestPeriod || days === usualPeriod ? undefined : days;
}
