import type { KnownRun } from "../../lib/history/known-run.ts";
import type { RunRow } from "./run-row.ts";

/** A run that this browser knows; null for one whose start has brought no id. */
export function rowOfHistory(run: KnownRun, userId: string | null): RunRow | null {
  if (run.runId === null) return null;
  return {
    runId: run.runId,
    flowId: run.savedItemId,
    flowName: run.savedItemName,
    state: run.last?.state ?? "not loaded yet",
    createdTs: run.last?.createdTs ?? new Date(run.knownAt).toISOString(),
    finishedTs: run.last?.finishedTs ?? null,
    userId: run.provenance === "started-here" ? userId : null,
    inputs: run.inputs ?? {},
    error: run.error,
    source: run.provenance,
  };
}
