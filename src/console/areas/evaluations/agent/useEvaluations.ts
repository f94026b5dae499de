import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useApi, useCan } from "../../../lib/api.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import type { Zone } from "../../../lib/time/format.ts";
import { isoDay } from "../../../lib/time/format-day.ts";
import { type GradeCounts, lessCounts, readCounts, readGraded, useGraded } from "../grades.tsx";
import { evaluationQueries } from "../queries.ts";
import { criteriaOf, type DayOfGrades, dataPointsOf, daysOfResults, splitResults } from "./results.ts";

const nothingGraded = readGraded({}, undefined);

/**
 * The evaluations of an agent in a period and in the one before it: counts from the metrics (§4.10), everything else from
 * the results where the service has them. With the core alone the trend is worked out from windows.
 */
export function useEvaluations(agentId: string, days: number) {
  const api = useApi();
  const { zone } = usePreferences();
  const canResults = useCan("evaluation_results");
  // The period ends when the page was opened: a read an hour later tells of the same days.
  const [now] = useState(() => api.clock.now());
  const { query: metrics, graded } = useGraded(agentId, days);
  const windows = useQueries({
    queries: windowsOf(days).map((one) => ({
      ...evaluationQueries.metrics(api, agentId, one),
      enabled: !canResults && metrics.data !== undefined,
    })),
  });
  const since = new Date(now - 2 * days * 86_400_000).toISOString();
  const read = useRead({
    ...evaluationQueries.results(api, agentId, since, graded?.stamp ?? ""),
    enabled: canResults && metrics.data !== undefined,
  });
  const split = useMemo(() => splitResults(read.data?.results ?? [], days, now), [read.data, days, now]);
  const hasResults = canResults && read.data !== undefined;
  const derived = windows.flatMap(({ data }, at) =>
    data ? [{ days: windowsOf(days)[at] ?? 0, counts: readCounts(data.data.grades) }] : [],
  );
  return {
    query: metrics,
    damage: metrics.data?.damage ?? [],
    graded: graded ?? nothingGraded,
    /** Null where the service has no results: then there is nothing to open. */
    results: hasResults ? split.current : null,
    isCut: read.data?.isCut ?? false,
    resultsError: canResults && read.isError && !read.data ? read.error : null,
    isReadingResults: canResults && !hasResults && !read.isError,
    /** What the trend counts. */
    trendNoun: hasResults ? "conversation" : (graded ?? nothingGraded).noun,
    trend: hasResults ? daysOfResults(split.current, days, now, zone) : daysOfWindows(derived, now, zone),
    /** The trend is worked out from windows that the service counts. */
    isDerived: !hasResults,
    criteria: useMemo(() => criteriaOf(split.current, split.before), [split]),
    dataPoints: useMemo(() => dataPointsOf(split.current), [split]),
    period: { from: now - days * 86_400_000, to: now },
  };
}

export type EvaluationsRead = ReturnType<typeof useEvaluations>;

/** Windows that are asked for, so that few requests give a trend: days back from now. */
const steps: Readonly<Record<number, readonly number[]>> = {
  7: [1, 2, 3, 4, 5, 6, 7],
  30: [1, 2, 3, 5, 7, 10, 14, 18, 22, 26, 30],
  90: [3, 7, 14, 21, 30, 45, 60, 75, 90],
};

/** So many bars has any other period at most. */
const mostWindows = 10;

/** The windows of §4.10 whose differences make the trend of a period. */
function windowsOf(days: number): readonly number[] {
  const even = Array.from({ length: mostWindows }, (_, at) => Math.ceil((days * (at + 1)) / mostWindows));
  return steps[days] ?? [...new Set(even)];
}

/** A trend from windows that all end now: each bar is what one window has and the next shorter one has not. */
export function daysOfWindows(
  windows: readonly { readonly days: number; readonly counts: GradeCounts }[],
  now: number,
  zone: Zone,
): readonly DayOfGrades[] {
  const sorted = [...windows].sort((a, b) => a.days - b.days);
  return sorted
    .map(({ days, counts }, at) => {
      const shorter = sorted[at - 1];
      return {
        day: isoDay(now - (days - 1) * 86_400_000, zone),
        days: days - (shorter?.days ?? 0),
        counts: shorter ? lessCounts(counts, shorter.counts) : counts,
      };
    })
    .reverse();
}
