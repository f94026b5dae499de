import type { ResultIn } from "../../../api/queries/evaluations.ts";
import { type GradeCounts, readCounts } from "../../../components/evaluation/grades.ts";
import { parseTime, type Zone } from "../../../components/time/format.ts";
import type { EvaluationsSearch } from "./search.ts";

const dayMs = 86_400_000;

/** One bar of the trend. `day` is its first day, `2026-11-20`. */
export interface DayOfGrades {
  readonly day: string;
  /** How many days it stands for: more than one where it is worked out from windows. */
  readonly days: number;
  readonly counts: GradeCounts;
}

/** The day of a moment as `2026-11-20`, by the person's zone. */
export function dayOf(ms: number, zone: Zone): string {
  const offset = zone === "utc" ? 0 : new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 10);
}

/** The last `days` days up to `now`, oldest first, each with the grades of its results. */
export function daysOfResults(
  results: readonly ResultIn[],
  days: number,
  now: number,
  zone: Zone,
): readonly DayOfGrades[] {
  const byDay = new Map<string, Record<string, number>>();
  // By the calendar: where clocks change, a day has 23 or 25 hours.
  const today = Date.parse(dayOf(now, zone));
  for (let back = days - 1; back >= 0; back -= 1) byDay.set(dayOf(today - back * dayMs, "utc"), {});
  for (const { created_ts, grade } of results) {
    const at = parseTime(created_ts);
    const counts = at === null ? undefined : byDay.get(dayOf(at, zone));
    if (counts && grade) counts[grade] = (counts[grade] ?? 0) + 1;
  }
  return [...byDay].map(([day, counts]) => ({ day, days: 1, counts: readCounts(counts) }));
}

export interface CriterionShare {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly priority: string;
  readonly failed: number;
  /** Those that were judged: an unknown result counts in neither. */
  readonly judged: number;
  readonly unknown: number;
  readonly failedBefore: number;
  readonly judgedBefore: number;
}

/** How often each criterion was not met, most often first; those of the period before beside it. */
export function criteriaOf(now: readonly ResultIn[], before: readonly ResultIn[]): readonly CriterionShare[] {
  type Mutable = { -readonly [K in keyof CriterionShare]: CriterionShare[K] };
  const all = new Map<string, Mutable>();
  const count = (results: readonly ResultIn[], isNow: boolean) => {
    for (const result of results) {
      for (const one of result.criteria_results ?? []) {
        if (!one?.id) continue;
        const share = all.get(one.id) ?? {
          id: one.id,
          name: one.name ?? one.id,
          type: one.type ?? "",
          priority: one.priority ?? "",
          failed: 0,
          judged: 0,
          unknown: 0,
          failedBefore: 0,
          judgedBefore: 0,
        };
        all.set(one.id, share);
        const isFailed = one.result === "failure";
        const isJudged = isFailed || one.result === "success";
        if (isNow) {
          share.failed += Number(isFailed);
          share.judged += Number(isJudged);
          share.unknown += Number(!isJudged);
        } else {
          share.failedBefore += Number(isFailed);
          share.judgedBefore += Number(isJudged);
        }
      }
    }
  };
  count(now, true);
  count(before, false);
  return [...all.values()]
    .filter((one) => one.judged + one.unknown > 0)
    .sort((a, b) => b.failed - a.failed || a.name.localeCompare(b.name));
}

export interface DataPointSummary {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** "median 1,840", "14 yes", "5 values". */
  readonly words: string;
}

/** Each data point in one expression: the median of numbers, how many said yes, how many different texts. */
export function dataPointsOf(results: readonly ResultIn[]): readonly DataPointSummary[] {
  const all = new Map<string, { name: string; type: string; values: unknown[] }>();
  for (const result of results) {
    for (const one of result.data_results ?? []) {
      if (!one?.id) continue;
      const point = all.get(one.id) ?? { name: one.name ?? one.id, type: one.data_type ?? "", values: [] };
      if (one.value !== null && one.value !== undefined) point.values.push(one.value);
      all.set(one.id, point);
    }
  }
  return [...all].map(([id, { name, type, values }]) => ({ id, name, type, words: valueWords(values) }));
}

function valueWords(values: readonly unknown[]): string {
  if (values.length === 0) return "never found";
  const numbers = values.filter((one): one is number => typeof one === "number" && Number.isFinite(one));
  if (numbers.length === values.length) {
    const sorted = [...numbers].sort((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
    return `median ${median.toLocaleString("en-GB", { maximumFractionDigits: 2 })}`;
  }
  if (values.every((one) => typeof one === "boolean")) return `${values.filter(Boolean).length} yes`;
  const different = new Set(values.map((one) => (typeof one === "string" ? one : JSON.stringify(one))));
  return different.size === 1 ? `always ${[...different].join("").slice(0, 24)}` : `${different.size} values`;
}

/** Results by the filters of the address: day, grade, tag and criterion. */
export function filterResults(
  results: readonly ResultIn[],
  { day, grade, tag, criterion }: EvaluationsSearch,
  zone: Zone,
): readonly ResultIn[] {
  return results.filter((one) => {
    const at = parseTime(one.created_ts);
    return (
      (day === undefined || (at !== null && dayOf(at, zone) === day)) &&
      (grade === undefined || one.grade === grade) &&
      (tag === undefined || (one.applied_tags ?? []).includes(tag)) &&
      (criterion === undefined ||
        (one.criteria_results ?? []).some((each) => each?.id === criterion && each.result === "failure"))
    );
  });
}

/** Results of the last `days` and of as many before them. */
export function splitResults(results: readonly ResultIn[], days: number, now: number) {
  const edge = now - days * dayMs;
  const isNow = (one: ResultIn) => (parseTime(one.created_ts) ?? now) >= edge;
  return { current: results.filter(isNow), before: results.filter((one) => !isNow(one)) };
}
