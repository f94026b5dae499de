import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { readGraded } from "../graded.ts";
import { readCounts } from "../grades.ts";
import { evaluationQueries } from "../queries.ts";
import { useGraded } from "../useGraded.ts";
import { criteriaOf, dataPointsOf, daysOfResults, splitResults } from "./results.ts";
import { daysOfWindows, windowsOf } from "./windows.ts";

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
