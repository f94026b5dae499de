import type { Received } from "../../../contract/define.ts";
import type { EvaluationMetrics } from "../../../contract/evaluations.ts";
import { type GradeCounts, lessCounts, readCounts, sumOf } from "./grades.ts";

type MetricsIn = Received<EvaluationMetrics>;

/** Grades and tags of one period. */
export interface PeriodOfGrades {
  readonly counts: GradeCounts;
  readonly tags: GradeCounts;
  readonly total: number;
}

/** How one rubric, or the agent's own criteria (`id` null), graded. */
export interface RubricGrades {
  readonly id: string | null;
  readonly name: string;
  readonly counts: GradeCounts;
}

/** How an agent was graded in a period and in the one before it. */
export interface Graded extends PeriodOfGrades {
  /** What is counted. A service that does not say that it counts conversations may count each result. */
  readonly noun: "conversation" | "result";
  /** As many days before; null where it is not known. */
  readonly before: PeriodOfGrades | null;
  /** Each that judged, for itself; empty where the service does not tell them apart. */
  readonly rubrics: readonly RubricGrades[];
  /** Changes with every result that was counted. */
  readonly stamp: string;
}

/** What stands for the agent's own criteria in a list of rubrics. */
export const ownCriteria = "Own criteria";

function periodOf({ grades, tags }: Pick<MetricsIn, "grades" | "tags">): PeriodOfGrades {
  const counts = readCounts(grades);
  return { counts, tags: readCounts(tags), total: sumOf(counts) };
}

/**
 * Reads the metrics of a period (§4.10).
 * @param double those of twice as many days, which tell of the days before where the service does not do that itself
 */
export function readGraded(metrics: MetricsIn, double: MetricsIn | undefined): Graded {
  const { counts, tags, total } = periodOf(metrics);
  const both = double && periodOf(double);
  const less = both && { counts: lessCounts(both.counts, counts), tags: lessCounts(both.tags, tags) };
  return {
    ...{ counts, tags, total },
    noun: metrics.counted === "sessions" ? "conversation" : "result",
    before: metrics.before ? periodOf(metrics.before) : less ? { ...less, total: sumOf(less.counts) } : null,
    rubrics: (metrics.rubrics ?? []).flatMap((one): RubricGrades[] =>
      one
        ? [
            {
              id: one.rubric?.id ?? null,
              name: one.rubric ? one.rubric.name || one.rubric.id || "A rubric" : ownCriteria,
              counts: readCounts(one.grades),
            },
          ]
        : [],
    ),
    stamp: JSON.stringify([metrics.results, ...counts, ...tags]),
  };
}
