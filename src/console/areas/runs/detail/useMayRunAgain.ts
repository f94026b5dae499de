import { useQuery } from "@tanstack/react-query";
import { getOwnRoles } from "../../../../contract/admin.ts";
import { describeState, runStates } from "../../../../contract/states.ts";
import { readOptions } from "../../../api/read.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { runQueries } from "../queries.ts";

/**
 * Whether a run has ended and may be run again from a step by this person: one of a team only by whoever began it and by who
 * may start runs there. Not before that is known; where roles cannot be read, the service decides.
 */
export function useMayRunAgain(runId: string): boolean {
  const api = useApi();
  const can = useCan("run_again");
  const hasRoles = useCan("admin");
  // The page of the run reads it; this only looks.
  const { data } = useQuery({ ...runQueries.details(api, runId), enabled: false });
  const run = data?.data;
  const { userId } = api.who;
  const isOver = can && run !== undefined && describeState(runStates, run.state).terminal;
  const teamId = run?.project_id ?? null;
  const isOwn = teamId === null || (userId !== null && run?.user_id === userId);
  const asks = isOver && hasRoles && !isOwn;
  const roles = useQuery({ ...readOptions(api, getOwnRoles, {}, { staleTime: 10_000 }), enabled: asks });
  if (!isOver) return false;
  if (!asks || roles.isError) return true;
  const team = roles.data?.data.teams?.find((one) => one?.id === teamId);
  return team?.rights?.includes("operate") ?? false;
}
