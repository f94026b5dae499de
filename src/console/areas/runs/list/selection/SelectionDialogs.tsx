import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorText } from "../../../../api/describe-error.ts";
import { newId } from "../../../../api/ids.ts";
import type { Api } from "../../../../lib/api.tsx";
import { useApi } from "../../../../lib/api.tsx";
import { BulkAction } from "../../../../lib/bulk/bulk.ts";
import { ResultRow } from "../../../../lib/bulk/Results.tsx";
import { useStore } from "../../../../lib/useStore.ts";
import { Button } from "../../../../ui/Button.tsx";
import { ConfirmDialog, Dialog } from "../../../../ui/Dialog.tsx";
import { runQueries } from "../../queries.ts";
import { firstInputs, type RunRow, runName } from "../../run-row.ts";
import { RunName } from "./ActionResults.tsx";
import type { NamedRun, RunAgain } from "./many-runs.ts";
import { countRuns, namedRun } from "./many-runs.ts";

type Props = {
  runs: readonly RunRow[];
  /** How many of the selected have not ended, or name no flow. */
  leftOut: number;
  onClose: () => void;
  onStart: (runs: readonly RunAgain[]) => void;
};

/** Says what each run would be started with, names those that cannot be, and starts the others. */
export function AgainDialog({ runs, leftOut, onClose, onStart }: Props) {
  const { steps, isReading, readAgain } = useKnownInputs(runs);
  const ready = runs.flatMap((run): RunAgain[] => {
    const one = steps.get(run.runId);
    return one?.step === "done" && one.result ? [{ ...namedRun(run), start: one.result }] : [];
  });
  const failed = [...steps.values()].filter(({ step }) => step === "failed").length;
  const start = () => {
    onStart(ready);
    onClose();
  };
  const unknown = runs.length - ready.length;
  return (
    <Dialog
      onClose={onClose}
      title={runs.length === 1 ? "Run again?" : `Run ${runs.length} again?`}
      description="Each starts as a new run with the same inputs. The selected runs do not change."
      footerNote={!isReading && unknown > 0 && `${countRuns(unknown)} left out: inputs unknown`}
      footer={
        <>
          {failed > 0 && (
            <Button onClick={readAgain} loading={isReading}>
              Reload
            </Button>
          )}
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            loading={isReading}
            onClick={start}
            disabledReason={ready.length === 0 && !isReading ? "There is nothing to start" : undefined}
            reasonAs="title"
          >
            {isReading ? "Start" : `Start ${countRuns(ready.length)}`}
          </Button>
        </>
      }
    >
      <ul aria-label="Runs to start again" className="divide-y divide-line">
        {runs.map((run) => {
          const one = steps.get(run.runId);
          const isReady = one?.step === "done" && one.result !== null;
          const isOut = one?.step === "failed" || (one?.step === "done" && !isReady);
          return (
            <ResultRow
              key={run.runId}
              tone={isReady ? "done" : isOut ? "stopped" : "waiting"}
              name={runName(run)}
            >
              {isReady && one.result && givenWords(one.result.inputs)}
              {one?.step === "done" && !isReady && `Left out: the inputs of ${run.runId} are unknown.`}
              {one?.step === "failed" && `Left out: its inputs could not be loaded. ${errorText(one.error)}`}
              {!isReady && !isOut && "Loading inputs"}
            </ResultRow>
          );
        })}
      </ul>
      {leftOut > 0 && (
        <p className="mt-3 text-muted text-secondary">
          {leftOut} of the selected {leftOut === 1 ? "is" : "are"} left out: only finished runs of a known
          flow can be run again.
        </p>
      )}
    </Dialog>
  );
}

function givenWords(inputs: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(inputs);
  if (names.length === 0) return "No inputs: the flow uses its defaults";
  return firstInputs(inputs) || `${names.join(", ")}: empty`;
}

/** What is needed to start a run once more; null where that is not known. */
type Known = RunAgain["start"] | null;

/**
 * What each run was given, whole: as this browser sent it, else as the service tells it (own, `can("run_details")`). A
 * row of the list is not enough: its long values may be cut, and what was cut would be started so.
 */
function useKnownInputs(runs: readonly RunRow[]) {
  const api = useApi();
  const queries = useQueryClient();
  const [many] = useState(() => {
    const rows = new Map(runs.map((run) => [run.runId, run]));
    return new BulkAction<Known>([...rows.keys()], async (runId) => {
      const row = rows.get(runId);
      return row ? inputsOf(api, queries, row) : null;
    });
  });
  const steps = useStore(many.steps);
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

type KillManyDialogProps = {
  runs: readonly NamedRun[];
  /** How many of the selected cannot be killed. */
  leftOut: number;
  onClose: () => void;
  onKill: (runs: readonly NamedRun[]) => void;
};

/** Beyond so many they are counted. */
const named = 8;

/** Asks before several runs are killed, and says what goes with them. */
export function KillManyDialog({ runs, leftOut, onClose, onKill }: KillManyDialogProps) {
  const isOne = runs.length === 1;
  const rest = runs.length - named;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={isOne ? "Stop 1 run?" : `Stop ${runs.length} runs?`}
      consequence={
        isOne
          ? "This stops the run and all its sub-runs. What its nodes have already done stays done, but there are no outputs. A stopped run can’t be resumed, only run again."
          : "This stops the runs and all their sub-runs. What their nodes have already done stays done, but there are no outputs. Stopped runs can’t be resumed, only run again."
      }
      action={`Stop ${countRuns(runs.length)}`}
      onConfirm={() => {
        onKill(runs);
        onClose();
      }}
    >
      <ul aria-label="Runs to stop">
        {runs.slice(0, named).map((run) => (
          <li key={run.runId} className="truncate py-0.5">
            <RunName run={run} />
          </li>
        ))}
        {rest > 0 && <li className="py-0.5 text-muted">and {rest} more</li>}
      </ul>
      {leftOut > 0 && (
        <p className="text-muted text-secondary">
          {leftOut} of the selected {leftOut === 1 ? "is" : "are"} left out: only active runs can be stopped.
        </p>
      )}
    </ConfirmDialog>
  );
}
