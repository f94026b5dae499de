import { textParam } from "../../../lib/search-params.ts";

export interface StartSearch {
  /** The flow to start. */
  flow?: string | undefined;
  /** Fill in what this run was given. */
  from?: string | undefined;
  /** How the body is written; the form where nothing is said. */
  as?: "json" | undefined;
}

/** Reads the address of the start page; what is not understood is undefined, so that the raw value does not stand. */
export function readStartSearch(raw: Record<string, unknown>): StartSearch {
  return { flow: textParam(raw.flow), from: textParam(raw.from), as: raw.as === "json" ? "json" : undefined };
}
