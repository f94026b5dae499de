import { countParam } from "../../../lib/search-params.ts";

/** What of an agent's versions stands in the address. */
export interface VersionsSearch {
  /** The two versions that are compared; without them the newest with the one before it. */
  from?: number | undefined;
  to?: number | undefined;
  /** The whole configuration as text, line by line, instead of field by field. */
  lines?: true | undefined;
}

/** Reads the address of an agent's versions; what is not understood is left out. */
export function readVersionsSearch(raw: Record<string, unknown>): VersionsSearch {
  const search: VersionsSearch = {
    from: countParam(raw.from),
    to: countParam(raw.to),
    lines: raw.lines === true || raw.lines === "true" ? true : undefined,
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
