import { countParam, textParam, wordParam } from "../../lib/search-params.ts";

/** So far back the metrics of evaluations reach, in days (§8). */
export const longestPeriod = 365;
/** The period without which none is named in an address. */
export const usualPeriod = 30;

/** A period of the address, 1 to 365 days; undefined for the usual one, and for what is none. */
function periodParam(value: unknown): number | undefined {
  const days = countParam(value);
  return days === undefined || days > longestPeriod || days === usualPeriod ? undefined : days;
}

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

/** Reads the address; what is not understood is undefined. */
export function readAcrossSearch(raw: Record<string, unknown>): AcrossSearch {
  return {
    days: periodParam(raw.days),
    tab: wordParam(raw.tab, "rubrics"),
    rubric: textParam(raw.rubric),
    part: wordParam(raw.part, "results"),
  };
}

/** In the address instead of a rubric's id: the agent's own criteria. */
export const ownRubric = "own";

/** Everything that the evaluations of an agent show stands in the address. */
export interface EvaluationsSearch {
  /** The last so many days, 1 to 365; 30 without it. */
  days?: number | undefined;
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

/** Reads the address; what is not understood is undefined. */
export function readEvaluationsSearch(raw: Record<string, unknown>): EvaluationsSearch {
  const day = textParam(raw.day);
  return {
    days: periodParam(raw.days),
    day: day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
    grade: textParam(raw.grade),
    tag: textParam(raw.tag),
    rubric: textParam(raw.rubric),
    criterion: textParam(raw.criterion),
    result: textParam(raw.result),
    view: wordParam(raw.view, "table", "criteria"),
  };
}
