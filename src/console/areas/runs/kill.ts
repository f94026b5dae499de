import { mutationOptions, useMutationState } from "@tanstack/react-query";
import { getRun, getRunDetails, killPipeline } from "../../../contract/run.ts";
import { listRuns } from "../../../contract/runs.ts";
import { call } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { keyOf } from "../../api/read.ts";
import { type Api, useApi } from "../../lib/api.tsx";

/** Asks to end a run and all its sub-runs. `ended` is false where it had ended already. */
export const killMutation = (api: Api) =>
  mutationOptions({
    mutationKey: [...keyOf(api, killPipeline)],
    mutationFn: async (runId: string): Promise<{ ended: boolean }> => {
      const { data } = await call(api, killPipeline, { body: { run_id: runId, ...ownerOf(api) } });
      return { ended: data.success === true };
    },
    onSuccess: async (_result, runId, _made, { client }) => {
      api.polling.acted();
      await Promise.all([
        client.invalidateQueries({ queryKey: [...keyOf(api, getRun), runId] }),
        client.invalidateQueries({ queryKey: keyOf(api, getRunDetails) }),
        client.invalidateQueries({ queryKey: keyOf(api, listRuns) }),
      ]);
    },
  });

/** The runs whose end was asked for and not refused: shown as such until a read says what became of them. */
export function useKillRequested(): ReadonlySet<string> {
  const { mutationKey } = killMutation(useApi());
  const asked = useMutationState({
    filters: { ...(mutationKey && { mutationKey }), exact: true },
    select: ({ state }) =>
      state.status === "pending" || state.status === "success" ? state.variables : null,
  });
  return new Set(asked.filter((runId): runId is string => typeof runId === "string"));
}
