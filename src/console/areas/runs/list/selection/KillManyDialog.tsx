import { ConfirmDialog } from "../../../../ui/ConfirmDialog.tsx";
import { RunName } from "./ActionResults.tsx";
import { countRuns } from "./labels.ts";
import type { NamedRun } from "./many-runs.ts";

type Props = {
  runs: readonly NamedRun[];
  /** How many of the selected cannot be killed. */
  leftOut: number;
  onClose: () => void;
  onKill: (runs: readonly NamedRun[]) => void;
};

/** Beyond so many they are counted. */
const named = 8;

/** Asks before several runs are killed, and says what goes with them. */
export function KillManyDialog({ runs, leftOut, onClose, onKill }: Props) {
  const isOne = runs.length === 1;
  const rest = runs.length - named;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={isOne ? "Kill 1 run?" : `Kill ${runs.length} runs?`}
      consequence={
        isOne
          ? "It stops, and every sub-run that it has started. What its nodes have done already stays done; there are no outputs. It cannot go on afterwards, only be run again."
          : "They stop, and every sub-run that they have started. What their nodes have done already stays done; there are no outputs. They cannot go on afterwards, only be run again."
      }
      action={`Kill ${countRuns(runs.length)}`}
      onConfirm={() => {
        onKill(runs);
        onClose();
      }}
    >
      <ul aria-label="Runs to kill">
        {runs.slice(0, named).map((run) => (
          <li key={run.runId} className="truncate py-0.5">
            <RunName run={run} />
          </li>
        ))}
        {rest > 0 && <li className="py-0.5 text-muted">and {rest} more</li>}
      </ul>
      {leftOut > 0 && (
        <p className="text-muted text-secondary">
          {leftOut} of the selected {leftOut === 1 ? "is" : "are"} left out: only a run that is known to move
          can be killed.
        </p>
      )}
    </ConfirmDialog>
  );
}
