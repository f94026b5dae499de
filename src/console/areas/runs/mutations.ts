import { mutationOptions } from "@tanstack/react-query";
import { downloadFiles } from "../../../contract/files.ts";
import { keepRun } from "../../../contract/retention.ts";
import { getRun, getRunDetails, killPipeline } from "../../../contract/run.ts";
import { listRuns } from "../../../contract/runs.ts";
import { startPipeline } from "../../../contract/start-pipeline.ts";
import { call } from "../../api/client.ts";
import { ownerOf } from "../../api/connection.ts";
import { isSurelyNot, saidBy } from "../../api/describe-error.ts";
import { ConsoleError } from "../../api/errors.ts";
import { keyOf } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import type { KeepChange } from "../../lib/keep/useKeep.ts";
import { killKey } from "./kill.ts";
import { runQueries } from "./queries.ts";

/** What a person starts. */
export interface RunStart {
  readonly savedItemId: string;
  readonly savedItemName: string | null;
  /** The whole body of the call. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The same as it is sent: a JSON object in text keeps the order of its fields, numbers their digits. */
  readonly text?: string;
  /** The team it belongs to; null: only to the person. */
  readonly projectId: string | null;
  /** Unguessable, the same for each try of this start, and its `Idempotency-Key`; one is made where none is given. */
  readonly key?: string;
}

/** All actions on runs. Pages invalidate nothing: each action names what it changes. */
export const runMutations = {
  /** Starts a run. It is in the history before the call goes out; the result is the new run's id. */
  start: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, startPipeline)],
      mutationFn: async (start: RunStart): Promise<{ runId: string; savedItemId: string }> => {
        const { savedItemId, savedItemName, inputs, text, projectId, key } = start;
        const record = await api.history.begin({ savedItemId, savedItemName, inputs, projectId }, key);
        try {
          const { user_id } = ownerOf(api);
          const { data, requestId } = await call(
            api,
            startPipeline,
            {
              query: {
                saved_item_id: savedItemId,
                ...(user_id ? { user_id } : {}),
                ...(projectId ? { project_id: projectId } : {}),
              },
              body: inputs,
            },
            { idempotencyKey: record.id, bodyText: text },
          );
          if (!data.run_id) {
            throw new ConsoleError({ kind: "contract", path: "run_id", requestId }, startPipeline.name);
          }
          await api.history.started(record.id, data.run_id);
          return { runId: data.run_id, savedItemId };
        } catch (error) {
          await api.history.failed(record.id, isSurelyNot(error), saidBy(error));
          throw error;
        }
      },
      onSuccess: (_result, _start, _made, { client }) => {
        api.polling.acted();
        return client.invalidateQueries({ queryKey: keyOf(api, listRuns) });
      },
    }),

  /** Asks to end a run and all its sub-runs. `ended` is false where it had ended already. */
  kill: (api: Api) =>
    mutationOptions({
      mutationKey: [...killKey(api)],
      mutationFn: async (runId: string): Promise<{ ended: boolean }> => {
        const { data } = await call(api, killPipeline, { body: { run_id: runId, ...ownerOf(api) } });
        return { ended: data.success === true };
      },
      onSuccess: (_result, runId, _made, { client }) => {
        api.polling.acted();
        // What was answered is said at once: some of what is read again may take long.
        void client.invalidateQueries({ queryKey: [...keyOf(api, getRun), runId] });
        void client.invalidateQueries({ queryKey: keyOf(api, getRunDetails) });
        void client.invalidateQueries({ queryKey: keyOf(api, listRuns) });
      },
    }),

  /** Keeps a run from retention, or no longer (own, `can("retention")`). */
  keep: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, keepRun)],
      mutationFn: async ({ id, kept }: KeepChange): Promise<boolean> => {
        const { data } = await call(api, keepRun, { params: { run_id: id }, body: { kept } });
        return data.kept ?? kept;
      },
      onSuccess: (kept, { id }, _made, { client }) => {
        const { queryKey } = runQueries.details(api, id);
        client.setQueryData(queryKey, (old) => old && { ...old, data: { ...old.data, kept } });
        // A read that began before the answer must not take it back.
        void client.invalidateQueries({ queryKey });
      },
    }),
};

/** Files of a run, by name, as one zip (§4.6). */
export async function downloadRunFiles(api: Api, runId: string, names: readonly string[]): Promise<Blob> {
  const body = { run_id: runId, file_names: [...names], ...ownerOf(api) };
  return (await call(api, downloadFiles, { body })).data;
}
