import { countParam, textParam, wordParam } from "../../lib/search-params.ts";

/** What of the inbox stands in its address. */
export interface KnowledgeSearch {
  /** What passages are looked for; the list stands without it. */
  q?: string | undefined;
  tab?: "search" | undefined;
}

/** What of a source's page stands in its address: the opened file and its page. */
export interface SourceSearch {
  file?: string | undefined;
  /** From 1. */
  page?: number | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readKnowledgeSearch(raw: Record<string, unknown>): KnowledgeSearch {
  return {
    tab: wordParam(raw.tab, "search"),
    q: textParam(raw.q),
  };
}

/** Reads the address; what is not understood is undefined. */
export function readSourceSearch(raw: Record<string, unknown>): SourceSearch {
  return { file: textParam(raw.file), page: countParam(raw.page) };
}
