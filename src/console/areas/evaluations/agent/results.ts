import { decimal } from "../../../lib/format-usage.ts";
import { parseTime, type Zone } from "../../../lib/time/format.ts";
import { isoDay as dayOf } from "../../../lib/time/format-day.ts";
import { type GradeCounts, readCounts, worstGrade } from "../grades.tsx";
import type { ResultIn } from "../queries.ts";
import { type EvaluationsSearch, ownRubric } from "../search.ts";

const dayMs = 86_400_000;

/** One bar of the trend. `day` is its first day, `2026-11-20`. */
export interface DayOfGrades {
  readonly day: string;
  /** How many days it stands for: more than one where it is worked out from windows. */
  readonly days: number;
  readonly counts: GradeCounts;
}

/** The conversation that a result is about. */
export const conversationOf = (result: ResultIn): string =>
  result.interaction_id ?? result.session_id ?? result.evaluation_id;

/**
 * The last `days` days up to `now`, oldest first, and the part of a day with which the period begins, where it has
 * results. A conversation counts once on each day on which it was graded, by the worst grade of that day.
 */
export function daysOfResults(
  results: readonly ResultIn[],
  days: number,
  now: number,
  zone: Zone,
): readonly DayOfGrades[] {
  const byDay = new Map<string, Map<string, string>>();
  // By the calendar: where clocks change, a day has 23 or 25 hours.
  const today = Date.parse(dayOf(now, zone));
  const first = Date.parse(dayOf(now - days * dayMs, zone));
  for (let at = first; at <= today; at += dayMs) byDay.set(dayOf(at, "utc"), new Map());
  for (const result of results) {
    const at = parseTime(result.created_ts);
    const graded = at === null ? undefined : byDay.get(dayOf(at, zone));
    const conversation = conversationOf(result);
    const worst = graded && worstGrade([graded.get(conversation), result.grade]);
    if (worst) graded.set(conversation, worst);
  }
  const shown = [...byDay];
  while (shown.length > days && shown[0]?.[1].size === 0) shown.shift();
  return shown.map(([day, graded]) => ({
    day,
    days: 1,
    counts: readCounts(Object.fromEntries(countBy(graded.values()))),
  }));
}

function countBy(values: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Conversations that were judged by a criterion. */
export interface CriterionShare {
  readonly id: string;
  /** Whose criterion it is: two rubrics may use the same id. Null: the agent's own. */
  readonly rubric: { readonly id: string; readonly name: string } | null;
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

/**
 * In how many conversations each criterion was not met, most first; those of the period before beside it. A conversation
 * counts once: as not met where any of its results says so.
 */
export function criteriaOf(now: readonly ResultIn[], before: readonly ResultIn[]): readonly CriterionShare[] {
  const all = new Map<string, { about: Criterion; now: Judged; before: Judged }>();
  const read = (results: readonly ResultIn[], period: "now" | "before") => {
    for (const result of results) {
      const rubric = rubricOf(result);
      for (const one of result.criteria_results ?? []) {
        if (!one?.id) continue;
        const key = JSON.stringify([rubric?.id, one.id]);
        const share = all.get(key) ?? {
          about: {
            id: one.id,
            rubric,
            name: one.name ?? one.id,
            type: one.type ?? "",
            priority: one.priority ?? "",
          },
          now: new Map(),
          before: new Map(),
        };
        all.set(key, share);
        const conversation = conversationOf(result);
        const said = share[period].get(conversation);
        if (
          said !== "failure" &&
          (said === undefined || one.result === "failure" || one.result === "success")
        )
          share[period].set(conversation, one.result ?? "unknown");
      }
    }
  };
  read(now, "now");
  read(before, "before");
  return [...all.values()]
    .filter((one) => one.now.size > 0)
    .map((one): CriterionShare => {
      const [failed, met] = judgedOf(one.now);
      const [failedBefore, metBefore] = judgedOf(one.before);
      const judged = failed + met;
      return {
        ...one.about,
        ...{ failed, judged, unknown: one.now.size - judged },
        ...{ failedBefore, judgedBefore: failedBefore + metBefore },
      };
    })
    .sort((a, b) => b.failed - a.failed || a.name.localeCompare(b.name));
}

type Criterion = Pick<CriterionShare, "id" | "rubric" | "name" | "type" | "priority">;
/** What was said of each conversation. */
type Judged = Map<string, string>;

function judgedOf(judged: Judged): readonly [failed: number, met: number] {
  const counts = countBy(judged.values());
  return [counts.get("failure") ?? 0, counts.get("success") ?? 0];
}

/** The saved rubric that a result is by; null: the agent's own criteria. */
function rubricOf({ rubric }: ResultIn): CriterionShare["rubric"] {
  return rubric?.id ? { id: rubric.id, name: rubric.name || rubric.id } : null;
}

export interface DataPointSummary {
  readonly id: string;
  /** Whose data point it is, as of a criterion. */
  readonly rubric: CriterionShare["rubric"];
  readonly name: string;
  readonly type: string;
  /** "median 1,840", "14 yes", "5 values". */
  readonly words: string;
}

/**
 * Each data point in one expression: the median of numbers, how many said yes, how many different texts. Of a
 * conversation that was judged several times the newest result tells.
 */
export function dataPointsOf(results: readonly ResultIn[]): readonly DataPointSummary[] {
  const all = new Map<string, { about: Omit<DataPointSummary, "words">; values: unknown[] }>();
  for (const result of newestOf(results)) {
    const rubric = rubricOf(result);
    for (const one of result.data_results ?? []) {
      if (!one?.id) continue;
      const key = JSON.stringify([rubric?.id, one.id]);
      const about = { id: one.id, rubric, name: one.name ?? one.id, type: one.data_type ?? "" };
      const point = all.get(key) ?? { about, values: [] };
      if (one.value !== null && one.value !== undefined) point.values.push(one.value);
      all.set(key, point);
    }
  }
  return [...all.values()].map(({ about, values }) => ({ ...about, words: valueWords(values) }));
}

/** The newest completed result of each conversation by each rubric. */
function newestOf(results: readonly ResultIn[]): Iterable<ResultIn> {
  const newest = new Map<string, ResultIn>();
  for (const result of results) {
    if ((result.data_results ?? []).length === 0) continue;
    const key = JSON.stringify([rubricOf(result)?.id, conversationOf(result)]);
    const other = newest.get(key);
    if (!other || (parseTime(result.created_ts) ?? 0) > (parseTime(other.created_ts) ?? 0))
      newest.set(key, result);
  }
  return newest.values();
}

function valueWords(values: readonly unknown[]): string {
  if (values.length === 0) return "never found";
  const numbers = values.filter((one): one is number => typeof one === "number" && Number.isFinite(one));
  if (numbers.length === values.length) {
    const sorted = [...numbers].sort((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
    return `median ${decimal(median, 2)}`;
  }
  if (values.every((one) => typeof one === "boolean")) return `${values.filter(Boolean).length} yes`;
  const different = new Set(values.map((one) => (typeof one === "string" ? one : JSON.stringify(one))));
  return different.size === 1 ? `always ${[...different].join("").slice(0, 24)}` : `${different.size} values`;
}

/** Results by the filters of the address: day, grade, tag, rubric and criterion. */
export function filterResults(
  results: readonly ResultIn[],
  { day, grade, tag, rubric, criterion }: EvaluationsSearch,
  zone: Zone,
): readonly ResultIn[] {
  return results.filter((one) => {
    const at = parseTime(one.created_ts);
    return (
      (day === undefined || (at !== null && dayOf(at, zone) === day)) &&
      (grade === undefined || one.grade === grade) &&
      (rubric === undefined || (rubricOf(one)?.id ?? ownRubric) === rubric) &&
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
