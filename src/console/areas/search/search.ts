import { type SearchKind, searchKinds } from "../../../contract/search.ts";
import { textParam } from "../../lib/search-params.ts";

/** What of a search stands in its address. */
export interface EverywhereSearch {
  q?: string | undefined;
  /** What is looked through, separated by commas; undefined: everything. */
  in?: string | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readEverywhereSearch(raw: Record<string, unknown>): EverywhereSearch {
  const chosen = [raw.in].flat().flatMap((one) => textParam(one)?.split(",") ?? []);
  return {
    // The words true and false, typed into an address, come as what they mean elsewhere.
    q: textParam(typeof raw.q === "boolean" ? String(raw.q) : raw.q),
    in: formatKinds(searchKinds.filter((kind) => chosen.includes(kind))),
  };
}

/** What the service's search takes, in characters. */
export const least = 3;
const most = 300;

/** What is searched for by an address; empty: nothing. */
export const textOf = ({ q }: EverywhereSearch): string => (q ?? "").trim().slice(0, most);

/** Whether the service's search takes it. */
export const canSearch = (text: string): boolean => [...text].length >= least;

/** What is looked through by an address. */
export const kindsOf = (search: EverywhereSearch): readonly SearchKind[] =>
  search.in === undefined ? searchKinds : searchKinds.filter((kind) => search.in?.split(",").includes(kind));

/** None, and all of them, is everything. */
export const formatKinds = (chosen: readonly SearchKind[]): string | undefined =>
  chosen.length === 0 || chosen.length === searchKinds.length ? undefined : chosen.join(",");
