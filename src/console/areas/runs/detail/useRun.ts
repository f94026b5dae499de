import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApi, useCan } from "../../../lib/api.tsx";
import { onceDrawn } from "../../../lib/history/registry.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { useStore } from "../../../lib/useStore.ts";
import { flowQueries } from "../flow-queries.ts";
import { runQueries } from "../queries.ts";

/**
 * All that can be known of one run: what the service answers (with its log in the run reader), its details where the
 * service has them, and what this browser wrote down when it started or opened it.
 */
export function useRun(runId: string) {
  const api = useApi();
  const read = useRead(runQueries.run(api, runId));
  const details = useQuery({ ...runQueries.details(api, runId), enabled: useCan("run_details") });
  const known = useStore(api.history.runs, (runs) => runs.find((one) => one.runId === runId));
  const run = read.data?.data;
  const more = details.data?.data;
  const flowId = more?.saved_item_id ?? run?.saved_item_id ?? known?.savedItemId ?? null;
  const isNamed = Boolean(more?.saved_item_name ?? known?.savedItemName);
  const canList = useCan("saved_items");
  const flows = useQuery({ ...flowQueries.list(api), enabled: canList && flowId !== null && !isNamed });
  const flowName =
    more?.saved_item_name ??
    known?.savedItemName ??
    flows.data?.data.saved_items?.find((flow) => flow.saved_item_id === flowId)?.name ??
    null;
  const inputs = more?.inputs ?? known?.inputs ?? null;
  const state = run?.state ?? null;
  const createdTs = run?.created_ts ?? null;
  const finishedTs = run?.finished_ts ?? null;

  useEffect(() => {
    if (createdTs === null && state === null) return;
    return onceDrawn(() =>
      api.history.saw(runId, {
        savedItemId: flowId,
        savedItemName: flowName,
        last: { state, createdTs, finishedTs },
      }),
    );
  }, [api, runId, flowId, flowName, state, createdTs, finishedTs]);

  return { read, details, run, more, known, flowId, flowName, inputs };
}

export type RunFacts = ReturnType<typeof useRun>;
