import { givenParams, textParam } from "../../lib/search-params.ts";
import { periodParam } from "./period.ts";

/** What of the evaluations across agents stands in the address. */
export interface AcrossSearch {
  /** The last so many days, 1 to 365; 30 without it. */
  days?: number | undefined;
  tab?: "rubrics" | undefined;
  /** The id of a saved rubric that is looked at, or `newRubric`. */
  rubric?: string | undefined;
  /** Of that rubric: what it found, instead of what it looks at. */
  part?: "results" | undefined;
}

/** In the address instead of a rubric's id: one that is being made. */
export const newRubric = "new";

/** Reads the address; what is not understood is left out. */
export function readAcrossSearch(raw: Record<string, unknown>): AcrossSearch {
  return givenParams<AcrossSearch>({
    days: periodParam(raw.days),
    tab: raw.tab === "rubrics" ? "rubrics" : undefined,
    rubric: textParam(raw.rubric),
    part: raw.part === "results" ? "results" : undefined,
  });
}
