import { useMutation } from "@tanstack/react-query";
import { downloadFiles } from "../../../../contract/files.ts";
import { call } from "../../../api/client.ts";
import { ownerOf } from "../../../api/connection.ts";
import { describeError } from "../../../api/describe-error.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { saveBlob } from "../../../lib/saveBlob.ts";
import { useToast } from "../../../ui/toastContext.ts";

/** Downloads files of a run, by name, as one zip (§4.6). */
export function useDownload(runId: string) {
  const api = useApi();
  const toaster = useToast();
  return useMutation({
    mutationFn: async (names: readonly string[]) => {
      const body = { run_id: runId, file_names: [...names], ...ownerOf(api) };
      const { data } = await call(api, downloadFiles, { body });
      saveBlob(data, `${runId}.zip`);
    },
    onError: (error) => {
      const { what, next } = describeError(error);
      toaster.show({ tone: "failed", title: "The files could not be downloaded", detail: `${what} ${next}` });
    },
  });
}
