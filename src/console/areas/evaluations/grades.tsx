import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { gradeStates } from "../../../contract/area-states.ts";
import type { Received } from "../../../contract/define.ts";
import type { EvaluationMetrics } from "../../../contract/evaluations.ts";
import { describeState, type Tone } from "../../../contract/states.ts";
import { useApi } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { SegmentBar } from "../../ui/SegmentBar.tsx";
import { evaluationQueries } from "./queries.ts";
import { longestPeriod } from "./search.ts";

/** The grades in the order in which they are shown; unknown ones follow. */
const gradeOrder = Object.keys(gradeStates) as readonly (keyof typeof gradeStates)[];

/** Every grade that is shown: the known ones, then those of `present` that we do not know, each once. */
export function shownGrades(present: Iterable<string>): readonly string[] {
  return [...new Set([...gradeOrder, ...present])];
}

/** How many of each grade, only whole numbers above zero. */
export type GradeCounts = ReadonlyMap<string, number>;

/** Under so many a share says nothing, and the count stands in its place. */
export const few = 20;

/** A map of the wire as counts, known grades first; what is no count is left out (§2.7). */
export function readCounts(map: Readonly<Record<string, unknown>> | null | undefined): GradeCounts {
  const entries = Object.entries(map ?? {}).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) > 0,
  );
  const rank = (grade: string) => {
    const at = (gradeOrder as readonly string[]).indexOf(grade);
    return at === -1 ? gradeOrder.length : at;
  };
  return new Map(entries.sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b)));
}

/** How many there are of all grades together. */
export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

/** What is in the first and not in the second, never below zero: two windows of §4.10 as one period. */
export function lessCounts(all: GradeCounts, part: GradeCounts): GradeCounts {
  return new Map(
    [...all].flatMap(([key, count]) => {
      const left = count - (part.get(key) ?? 0);
      return left > 0 ? [[key, left] as const] : [];
    }),
  );
}

/** The worst of some grades; one that we do not know is worse than a pass and better than known trouble. Null: none. */
export function worstGrade(grades: readonly (string | null | undefined)[]): string | null {
  const badness = (grade: string) => {
    const at = (gradeOrder as readonly string[]).indexOf(grade);
    return at === -1 ? 0.5 : at;
  };
  return grades.reduce<string | null>(
    (worst, grade) => (grade && (worst === null || badness(grade) > badness(worst)) ? grade : worst),
    null,
  );
}

/** The word and tone of a grade; one that we do not know as it came. */
export function gradeWords(grade: string | null | undefined): {
  readonly tone: Tone;
  readonly title: string;
} {
  const { tone, title } = describeState(gradeStates, grade ?? null);
  return { tone, title };
}

/** The fill of a grade in a chart: pass is quiet, so that only trouble has colour. */
export const gradeFill: Readonly<Record<Tone, string>> = {
  done: "bg-chart-quiet",
  stopped: "bg-state-stopped-mark",
  failed: "bg-state-failed-mark",
  running: "bg-state-running-mark",
  stopping: "bg-state-stopped-mark",
  waiting: "bg-state-waiting-mark",
  unknown: "bg-state-unknown-mark",
};

/** A share, rounded: 100 stands for all of them alone, and 0 for none. */
export function percent(part: number, whole: number): number {
  if (whole === 0 || part === 0) return 0;
  return part === whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
}

/** "74 % pass"; the count where there are too few to speak of shares. */
export function passWords(counts: GradeCounts, total: number): string {
  const pass = counts.get("pass") ?? 0;
  return total < few ? `${pass} of ${total} pass` : `${percent(pass, total)} % pass`;
}

/**
 * A share against the period before: "up from 84 %". Says so where either period is too small to tell, and nothing where
 * there was none before.
 */
export function againstBefore(now: number, of: number, before: number, beforeOf: number): string {
  if (beforeOf === 0) return "no earlier results";
  if (of < few || beforeOf < few) return `${before} of ${beforeOf} before, too few`;
  const [share, was] = [percent(now, of), percent(before, beforeOf)];
  if (share === was) return `no change`;
  return `${share > was ? "up" : "down"} from ${was} %`;
}

type MetricsIn = Received<EvaluationMetrics>;

/** Grades and tags of one period. */
interface PeriodOfGrades {
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
const ownCriteria = "Own criteria";

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
              name: one.rubric ? one.rubric.name || one.rubric.id || "Untitled rubric" : ownCriteria,
              counts: readCounts(one.grades),
            },
          ]
        : [],
    ),
    stamp: JSON.stringify([metrics.results, ...counts, ...tags]),
  };
}

/**
 * How an agent was graded in the last `days`, and in as many before them: as the service compares them itself, else
 * worked out from a window twice as long, where windows reach that far.
 */
export function useGraded(agentId: string, days: number) {
  const api = useApi();
  const query = useRead(evaluationQueries.metrics(api, agentId, days));
  const metrics = query.data?.data;
  const both = useRead({
    ...evaluationQueries.metrics(api, agentId, days * 2),
    enabled: metrics !== undefined && !metrics.before && days * 2 <= longestPeriod,
  });
  const double = both.data?.data;
  const graded = useMemo(() => (metrics ? readGraded(metrics, double) : null), [metrics, double]);
  return { query, both, graded };
}

/**
 * Agents in the order in which they want a look: most conversations that need attention first, then review; what was not
 * graded comes last. They stand as given until all is read, so that no row moves while it is read.
 */
export function useWorstFirst<A extends { readonly id: string }>(
  agents: readonly A[],
  days: number,
): readonly A[] {
  const api = useApi();
  const reads = useQueries({ queries: agents.map(({ id }) => evaluationQueries.metrics(api, id, days)) });
  if (reads.some(({ isPending }) => isPending)) return agents;
  const counts = new Map(agents.map(({ id }, at) => [id, readCounts(reads[at]?.data?.data.grades)]));
  const weight = ({ id }: A) => {
    const of = (grade: string) => counts.get(id)?.get(grade) ?? 0;
    return [of("needs_attention"), of("needs_review"), of("pass")] as const;
  };
  return agents.toSorted((one, other) => {
    const [a, b] = [weight(one), weight(other)];
    return b[0] - a[0] || b[1] - a[1] || b[2] - a[2];
  });
}

/** How many got which grade, as one bar in parts. */
export function GradeBar({ counts, className }: { counts: GradeCounts; className?: string }) {
  const words = [...counts].map(([grade, count]) => `${count} ${gradeWords(grade).title.toLowerCase()}`);
  return (
    <SegmentBar
      label={words.join(", ") || "no evaluations"}
      total={sumOf(counts)}
      parts={[...counts].map(([grade, count]) => ({
        key: grade,
        count,
        className: gradeFill[gradeWords(grade).tone],
      }))}
      {...(className !== undefined && { className })}
    />
  );
}
