import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import type { Received } from "../../../../../contract/define.ts";
import { listRuns, type RunSummary } from "../../../../../contract/runs.ts";
import { keyOf } from "../../../../api/read.ts";
import { useApi } from "../../../../lib/api.tsx";
import { isMoving } from "../../../../lib/run-state.ts";

type RunIn = Received<RunSummary> | null | undefined;
/** A first page as it was answered, or the rows beyond it. */
type Held = {
  readonly data?: { readonly runs?: readonly RunIn[] | null | undefined };
  readonly rows?: readonly RunIn[];
} | null;

/** In which state runs ended, by any list that was read: the one on the page may leave out what has ended. */
export function useEnds(): ReadonlyMap<string, string> {
  const queryKey = keyOf(useApi(), listRuns);
  const queries = useQueryClient();
  // Drawn anew with every read of a list.
  useIsFetching({ queryKey });
  const ends = new Map<string, string>();
  for (const [, held] of queries.getQueriesData<Held>({ queryKey })) {
    for (const run of [...(held?.data?.runs ?? []), ...(held?.rows ?? [])])
      if (run?.run_id && run.state && !isMoving(run.state)) ends.set(run.run_id, run.state);
  }
  return ends;
}
