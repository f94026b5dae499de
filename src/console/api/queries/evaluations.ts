import { getEvaluationConfig, getEvaluationMetrics } from "../../../contract/evaluations.ts";
import type { Api } from "../api.ts";
import { slow } from "../poll.ts";
import { readOptions } from "../read.ts";

/** Reads about evaluations. */
export const evaluationQueries = {
  /** Grades and tags of an agent's sessions in the last `days`, 1 to 365 (§4.10). */
  metrics: (api: Api, agentId: string, days: number) =>
    readOptions(
      api,
      getEvaluationMetrics,
      { params: { agent_id: agentId }, query: { days } },
      { policy: slow, staleTime: 30_000 },
    ),

  /** How an agent is evaluated (§4.11). */
  config: (api: Api, agentId: string) =>
    readOptions(api, getEvaluationConfig, { params: { agent_id: agentId } }, { staleTime: 5_000 }),
};
