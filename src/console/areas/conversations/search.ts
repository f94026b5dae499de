import { textParam } from "../../lib/search-params.ts";

/** What of a conversation stands in its address. */
export interface ConversationSearch {
  /** The part that is linked to. */
  part?: string | undefined;
  /** What is searched for in it. */
  q?: string | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readConversationSearch(raw: Record<string, unknown>): ConversationSearch {
  return { part: textParam(raw.part), q: textParam(raw.q) };
}
