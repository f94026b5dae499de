import { useMutationState } from "@tanstack/react-query";
import { useApi } from "../../lib/api/api-context.tsx";
import { runMutations } from "./mutations.ts";

/** The runs whose end was asked for and not refused: shown as such until a read says what became of them. */
export function useKillRequested(): ReadonlySet<string> {
  const { mutationKey } = runMutations.kill(useApi());
  const asked = useMutationState({
    filters: { ...(mutationKey && { mutationKey }), exact: true },
    select: ({ state }) =>
      state.status === "pending" || state.status === "success" ? state.variables : null,
  });
  return new Set(asked.filter((runId): runId is string => typeof runId === "string"));
}
