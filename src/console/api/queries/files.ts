import { mutationOptions } from "@tanstack/react-query";
import { downloadFiles } from "../../../contract/files.ts";
import { type Api, ownerOf } from "../api.ts";
import { call } from "../client.ts";
import { keyOf } from "../read.ts";

/** Acts on the files of runs and conversations. */
export const fileMutations = {
  /** Fetches files of a run or conversation as one zip (§4.6). */
  download: (api: Api, runId: string) =>
    mutationOptions({
      mutationKey: [...keyOf(api, downloadFiles), runId],
      mutationFn: async (names: readonly string[]): Promise<Blob> => {
        const body = { run_id: runId, file_names: [...names], ...ownerOf(api) };
        return (await call(api, downloadFiles, { body })).data;
      },
    }),
};
