import { periodParam } from "../../components/evaluation/period.ts";

/** What of the evaluations across agents stands in the address. */
export interface AcrossSearch {
  /** The last so many days, 1 to 365; 30 without it. */
  days?: number | undefined;
  tab?: "rubrics" | undefined;
}

/** Reads the address; what is not understood is left out. */
export function readAcrossSearch(raw: Record<string, unknown>): AcrossSearch {
  const days = periodParam(raw.days);
  return { ...(days !== undefined && { days }), ...(raw.tab === "rubrics" && { tab: "rubrics" }) };
}
