/** What of the page for a new agent stands in its address. */
export interface NewAgentSearch {
  /** The agent that it begins as a copy of. */
  from?: string | undefined;
}

/** Reads the address; what is not understood is left out. */
export function readNewAgentSearch(raw: Record<string, unknown>): NewAgentSearch {
  return typeof raw.from === "string" && raw.from !== "" ? { from: raw.from } : {};
}
