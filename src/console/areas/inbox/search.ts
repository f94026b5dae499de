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
  state: raw.state === "answered" ? "answered" : undefined,
  order: raw.order === "dearest" && raw.state !== "answered" ? "dearest" : undefined,
  kind: raw.kind === "source" ? "source" : undefined,
});
