import { countParam } from "../../components/search-params.ts";

export const periods = [7, 30, 90] as const;

/** What of the evaluations across agents stands in the address. */
export interface AcrossSearch {
  /** The last so many days; 30 without it. */
  days?: (typeof periods)[number] | undefined;
  tab?: "rubrics" | undefined;
}

/** Reads the address; what is not understood is left out. */
export function readAcrossSearch(raw: Record<string, unknown>): AcrossSearch {
  const days = periods.find((one) => one === countParam(raw.days) && one !== 30);
  return { ...(days !== undefined && { days }), ...(raw.tab === "rubrics" && { tab: "rubrics" }) };
}
