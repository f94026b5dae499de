import { countParam, textParam } from "../../lib/search-params.ts";
import type { SearchKind } from "./worker/hit.ts";

/** Everything that is looked through, in the order of the page. */
export const kinds: readonly SearchKind[] = ["inputs", "outputs", "log", "messages", "tools", "artifacts"];

/** What of a search stands in its address. */
export interface EverywhereSearch {
  q?: string | undefined;
  /** What is looked through, separated by commas; undefined: everything. */
  in?: string | undefined;
  /** `q` is a regular expression. */
  as?: "pattern" | undefined;
  /** How often "Search 50 more" was asked for. */
  more?: number | undefined;
}

const mostSteps = 40;

/** Reads the address; what is not understood is undefined, so that the raw value does not stand. */
export function readEverywhereSearch(raw: Record<string, unknown>): EverywhereSearch {
  const more = countParam(raw.more);
  const chosen = [raw.in].flat().flatMap((one) => textParam(one)?.split(",") ?? []);
  return {
    // The words true and false, typed into an address, come as what they mean elsewhere.
    q: textParam(typeof raw.q === "boolean" ? String(raw.q) : raw.q),
    in: formatKinds(kinds.filter((kind) => chosen.includes(kind))),
    as: raw.as === "pattern" ? "pattern" : undefined,
    more: more && Math.min(more, mostSteps),
  };
}

/** What is looked through by an address. */
export const kindsOf = (search: EverywhereSearch): readonly SearchKind[] =>
  search.in === undefined ? kinds : kinds.filter((kind) => search.in?.split(",").includes(kind));

/** None, and all of them, is everything. */
export const formatKinds = (chosen: readonly SearchKind[]): string | undefined =>
  chosen.length === 0 || chosen.length === kinds.length ? undefined : chosen.join(",");
