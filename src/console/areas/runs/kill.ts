import { useMutationState } from "@tanstack/react-query";
import { keyOf } from "../../api/read.ts";
import { type Api, useApi } from "../../lib/api.tsx";

/** The key of all requests to end a run: the first page knows them without what they need. */
export const killKey = (api: Api) => keyOf(api, { name: "killPipeline" });

/** The runs whose end was asked for and not refused: shown as such until a read says what became of them. */
export function useKillRequested(): ReadonlySet<string> {
  const asked = useMutationState({
    filters: { mutationKey: killKey(useApi()), exact: true },
    select: ({ state }) =>
      state.status === "pending" || state.status === "success" ? state.variables : null,
  });
  return new Set(asked.filter((runId): runId is string => typeof runId === "string"));
}
