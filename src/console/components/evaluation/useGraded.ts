import { useMemo } from "react";
import { evaluationQueries } from "../../api/queries/evaluations.ts";
import { useApi } from "../api-context.tsx";
import { useRead } from "../useRead.ts";
import { readGraded } from "./graded.ts";
import { longestPeriod } from "./period.ts";

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
