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

const text = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

const given = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;

/** Reads the address; what is not understood is left out. */
export function readKnowledgeSearch(raw: Record<string, unknown>): KnowledgeSearch {
  return given<KnowledgeSearch>({ tab: raw.tab === "search" ? "search" : undefined, q: text(raw.q) });
}

export function readSourceSearch(raw: Record<string, unknown>): SourceSearch {
  const page = Number(raw.page);
  return given<SourceSearch>({
    file: text(raw.file),
    page: Number.isSafeInteger(page) && page > 0 ? page : undefined,
  });
}
