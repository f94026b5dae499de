import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { newId } from "../../../../api/ids.ts";
import type { Api } from "../../../../lib/api/api.ts";
import { useApi } from "../../../../lib/api/api-context.tsx";
import { Many } from "../../../../lib/many/many.ts";
import type { RunAgain } from "../../many-runs.ts";
import { runQueries } from "../../queries.ts";
import type { RunRow } from "../../run-row.ts";

/** What is needed to start a run once more; null where that is not known. */
type Known = RunAgain["start"] | null;

/**
 * What each run was given, whole: as this browser sent it, else as the service tells it (own, `can("run_details")`). A
 * row of the list is not enough: its long values may be cut, and what was cut would be started so.
 */
export function useKnownInputs(runs: readonly RunRow[]) {
  const api = useApi();
  const queries = useQueryClient();
  const [many] = useState(() => {
    const rows = new Map(runs.map((run) => [run.runId, run]));
    return new Many<Known>([...rows.keys()], async (runId) => {
      const row = rows.get(runId);
      return row ? inputsOf(api, queries, row) : null;
    });
  });
  const steps = useSyncExternalStore(many.steps.subscribe, many.steps.get);
  useEffect(() => {
    void many.start(many.at("held"));
    // Whoever closes the question wants no more answers.
    return many.stop;
  }, [many]);
  return { steps, isReading: many.isBusy, readAgain: () => void many.start(many.at("failed")) };
}

async function inputsOf(api: Api, queries: QueryClient, row: RunRow): Promise<Known> {
  const { runId, flowId, flowName } = row;
  if (flowId === null) return null;
  const start = { savedItemId: flowId, savedItemName: flowName, key: newId() };
  const own = api.history.runs.get().find((run) => run.runId === runId);
  if (own?.inputs) return { ...start, inputs: own.inputs, projectId: own.projectId };
  if (!api.capabilities.can("run_details")) return null;
  const { data } = await queries.fetchQuery(runQueries.details(api, runId));
  // Without its team it would be somebody else's run.
  if (!data.inputs || data.project_id === undefined) return null;
  return { ...start, inputs: data.inputs, projectId: data.project_id };
}
