/** Times that a service could mean; others (year 1, year 275760) are shown as they came. */
const plausible = { from: Date.UTC(1990), to: Date.UTC(2200) };
const isoWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** An ISO 8601 time with a zone (§2.2) as ms since 1970, or null where it is none: then its text is shown as it came. */
export function parseTime(text: unknown): number | null {
  if (typeof text !== "string" || !isoWithZone.test(text)) return null;
  const ms = Date.parse(text);
  return ms >= plausible.from && ms <= plausible.to ? ms : null;
}
