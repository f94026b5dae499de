import { useState } from "react";
import { Store } from "../../../../api/store.ts";
import { useApi } from "../../../../lib/api.tsx";
import { LazyPart } from "../../../../lib/LazyPart.tsx";
import type { RowSelection } from "../../../../lib/list/RowSelection.ts";
import type { Shortcut } from "../../../../lib/page/shortcuts.ts";
import { useStore } from "../../../../lib/useStore.ts";
import { later } from "../../../../ui/later.ts";
import { type RunRow, runName } from "../../run-row.ts";
import type { RunsAction } from "./many-runs.ts";

const SelectionBar = later(() => import("./SelectionBar.tsx"));

/** What is being done to several runs, until its results are closed (`api.keep`): it outlives its page. */
export const runsActionOf = () => new Store<RunsAction | null>(null);

/** What the box of a run is called. */
export const selectLabel = (run: RunRow): string => `Select ${runName(run)}, ${run.runId}`;

/** Leads from the rows to what can be done with those that are selected. */
export const toActions: Shortcut = {
  keys: "a",
  does: "Go to selection actions",
  run: () => document.querySelector<HTMLElement>("[data-run-actions] button")?.focus(),
};

/** What can be done with the selection, and what becomes of it, over the foot of the list that shows `runs`. */
export function SelectionFoot({ selection, runs }: { selection: RowSelection; runs: readonly RunRow[] }) {
  const action = useStore(useApi().keep(runsActionOf));
  const { ids, gone } = useStore(selection.state);
  // The one place that tells those who listen, there before it has anything to say.
  const [status, setStatus] = useState<HTMLElement | null>(null);
  return (
    <>
      <p ref={setStatus} role="status" className="sr-only" />
      {(ids.size + gone > 0 || action !== null) && (
        <LazyPart>
          <SelectionBar selection={selection} runs={runs} action={action} status={status} />
        </LazyPart>
      )}
    </>
  );
}
