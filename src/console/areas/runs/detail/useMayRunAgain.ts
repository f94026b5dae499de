import { useQuery } from "@tanstack/react-query";
import { describeState, runStates } from "../../../../contract/states.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { useMissingRight } from "../../../lib/rights/rights.ts";
import { runQueries } from "../queries.ts";

/** The run, as its page has read it. */
function useReadRun(runId: string) {
  const api = useApi();
  const { data } = useQuery({ ...runQueries.details(api, runId), enabled: false });
  return data?.data;
}

/**
 * Which role the person lacks to stop a run of a team, to run it again or to take its files; undefined: none, or only the
 * service knows. Whoever began it may, whatever they are in the team.
 */
export function useMissingOfRun(runId: string): string | undefined {
  const { userId } = useApi().who;
  const run = useReadRun(runId);
  const isOwn = userId !== null && run?.user_id === userId;
  return useMissingRight(isOwn ? null : run?.project_id, "operate");
}

/** Whether a run has ended and may be run again from a step by this person. */
export function useMayRunAgain(runId: string): boolean {
  const can = useCan("run_again");
  const run = useReadRun(runId);
  const missing = useMissingOfRun(runId);
  return can && run !== undefined && describeState(runStates, run.state).terminal && missing === undefined;
}
