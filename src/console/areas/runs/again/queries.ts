import { keepPreviousData, mutationOptions } from "@tanstack/react-query";
import { getRunDetails } from "../../../../contract/run.ts";
import { previewRunAgain, runAgain } from "../../../../contract/run-again.ts";
import { listRuns } from "../../../../contract/runs.ts";
import { call } from "../../../api/client.ts";
import { isSurelyNot, saidBy } from "../../../api/describe-error.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { keyOf, readOptions } from "../../../api/read.ts";
import { readAgain } from "../../../api/read-again.ts";
import type { Api } from "../../../lib/api.tsx";
import type { AgainBody } from "./again-ask.ts";

/** Reads about running a run again (own, `can("run_again")`). */
export const againQueries = {
  /** What would be reused and done again. It changes nothing; the preview before stays while another is worked out. */
  preview: (api: Api, runId: string, body: AgainBody) => ({
    ...readOptions(api, previewRunAgain, { params: { run_id: runId }, body }),
    placeholderData: keepPreviousData,
  }),
};

/** A run that goes again. */
export interface AgainStart {
  readonly runId: string;
  /** What was shown, and the digest that stands for it. */
  readonly body: AgainBody;
  readonly preview: string;
  /** The same for each try of the same start: its `Idempotency-Key`. */
  readonly key: string;
  /** What this browser notes of the new run at the top. */
  readonly top: {
    readonly savedItemId: string | null;
    readonly savedItemName: string | null;
    readonly inputs: Readonly<Record<string, unknown>> | null;
    readonly projectId: string | null;
  };
}

export const againMutations = {
  /** Starts the new run. It is in the history before the call goes out; the result is the id of the run at the top. */
  start: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, runAgain)],
      mutationFn: async ({ runId, body, preview, key, top }: AgainStart): Promise<string> => {
        const record = await api.history.begin(top, key);
        try {
          const { data, requestId } = await call(
            api,
            runAgain,
            { params: { run_id: runId }, body: { ...body, preview } },
            { idempotencyKey: key },
          );
          if (!data.run_id)
            throw new ConsoleError({ kind: "contract", path: "run_id", requestId }, runAgain.name);
          await api.history.started(record.id, data.run_id);
          return data.run_id;
        } catch (error) {
          await api.history.failed(record.id, isSurelyNot(error), saidBy(error));
          throw error;
        }
      },
      // Both runs know each other from now on.
      onSuccess: (_result, _start, _made, { client }) => readAgain(api, client, [listRuns, getRunDetails]),
    }),
};
