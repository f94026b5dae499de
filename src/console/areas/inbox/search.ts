import { wordParam } from "../../lib/search-params.ts";

/** What of the inbox stands in its address: without it, what waits. */
export interface InboxSearch {
  state?: "answered" | undefined;
  /** Of what waits: by what is at stake, the most first. Without it the oldest first. */
  order?: "dearest" | undefined;
  /** What is shown is a knowledge source, and no question. */
  kind?: "source" | undefined;
}

/** Reads the address; what is not understood is undefined. */
export const readInboxSearch = (raw: Record<string, unknown>): InboxSearch => ({
  state: wordParam(raw.state, "answered"),
  order: raw.state === "answered" ? undefined : wordParam(raw.order, "dearest"),
  kind: wordParam(raw.kind, "source"),
});
