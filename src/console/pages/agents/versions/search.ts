/** What of an agent's versions stands in the address. */
export interface VersionsSearch {
  /** The two versions that are compared; without them the newest with the one before it. */
  from?: number | undefined;
  to?: number | undefined;
  /** The whole configuration as text, line by line, instead of field by field. */
  lines?: true | undefined;
}

const version = (value: unknown): number | undefined => {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
};

/** Reads the address of an agent's versions; what is not understood is left out. */
export function readVersionsSearch(raw: Record<string, unknown>): VersionsSearch {
  const search: VersionsSearch = {
    from: version(raw.from),
    to: version(raw.to),
    lines: raw.lines === true || raw.lines === "true" ? true : undefined,
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
