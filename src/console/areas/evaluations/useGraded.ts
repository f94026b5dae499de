import { useMemo } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { readGraded } from "./graded.ts";
import { longestPeriod } from "./period.ts";
import { evaluationQueries } from "./queries.ts";

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
