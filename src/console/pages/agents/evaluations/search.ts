import { countParam, givenParams, textParam } from "../../../components/search-params.ts";

export const periods = [7, 30, 90] as const;
export type Period = (typeof periods)[number];

/** In the address instead of a rubric's id: the agent's own criteria. */
export const ownRubric = "own";

/** Everything that the evaluations of an agent show stands in the address. */
export interface EvaluationsSearch {
  /** The last so many days; 30 without it. */
  days?: Period | undefined;
  /** One day, `2026-11-20`: what a bar opened. */
  day?: string | undefined;
  grade?: string | undefined;
  tag?: string | undefined;
  /** The saved rubric by which they are, or `ownRubric`. */
  rubric?: string | undefined;
  /** Results that failed this criterion, by its id. */
  criterion?: string | undefined;
  /** The opened result. */
  result?: string | undefined;
  /** The chart as a table; or how the agent is evaluated. */
  view?: "table" | "criteria" | undefined;
}

/** Reads the address; what is not understood is left out. */
export function readEvaluationsSearch(raw: Record<string, unknown>): EvaluationsSearch {
  const day = textParam(raw.day);
  const search: EvaluationsSearch = {
    days: periods.find((one) => one === countParam(raw.days) && one !== 30),
    day: day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
    grade: textParam(raw.grade),
    tag: textParam(raw.tag),
    rubric: textParam(raw.rubric),
    criterion: textParam(raw.criterion),
    result: textParam(raw.result),
    view: raw.view === "table" || raw.view === "criteria" ? raw.view : undefined,
  };
  return givenParams(search);
}
