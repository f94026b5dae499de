import { useId, useLayoutEffect, useState } from "react";
import { useApi } from "../../../../lib/api.tsx";
import { LazyPart } from "../../../../lib/LazyPart.tsx";
import type { Shortcut } from "../../../../lib/page/shortcuts.ts";
import { useStore } from "../../../../lib/useStore.ts";
import { Checkbox } from "../../../../ui/Checkbox.tsx";
import { cx } from "../../../../ui/cx.ts";
import { later } from "../../../../ui/later.ts";
import { type RunRow, runName } from "../../run-row.ts";
import { type RunSelection, runsActionOf } from "./run-selection.ts";

const SelectionBar = later(() => import("./SelectionBar.tsx"));

/**
 * The keys of selecting. Escape is not among them: what it closes depends on the page.
 * @param cursor the run that `j` and `k` stand on
 * @param step moves there, and says where that is
 */
export function selectionShortcuts(
  selection: RunSelection,
  cursor: string | undefined,
  step: (by: 1 | -1) => string | undefined,
): readonly Shortcut[] {
  const extend = (by: 1 | -1) => {
    const next = step(by);
    if (next !== undefined) selection.extendTo(next, cursor);
  };
  return [
    { keys: "x", does: "Select the run", run: () => cursor !== undefined && selection.toggle(cursor) },
    { keys: "J", does: "Select on to the next run", run: () => extend(1) },
    { keys: "K", does: "Select on to the previous run", run: () => extend(-1) },
    {
      keys: "a",
      does: "Go to the actions on the selection",
      run: () => document.querySelector<HTMLElement>("[data-run-actions] button")?.focus(),
    },
  ];
}

/** Selects all that are shown. */
export function SelectAll({ selection }: { selection: RunSelection }) {
  const { rows, ids } = useStore(selection.state);
  return (
    <Checkbox
      aria-label="Select all that are shown"
      checked={ids.size > 0 && ids.size === rows.length}
      isPartial={ids.size > 0 && ids.size < rows.length}
      onChange={(event) => selection.all(event.target.checked)}
    />
  );
}

type SelectRunProps = { selection: RunSelection; run: RunRow; className: string };

/** Selects one run: seen where a hand or the keyboard is, where a finger has to find it, and while any is selected. */
export function SelectRun({ selection, run, className }: SelectRunProps) {
  const { ids } = useStore(selection.state);
  const id = useId();
  return (
    // The label is the whole of the cell, so that a near miss does not open the run.
    // biome-ignore lint/a11y/useKeyWithClickEvents: it only keeps the click from the row; the box inside takes the keys
    <label
      htmlFor={id}
      onClick={(event) => event.stopPropagation()}
      className={cx(
        "opacity-0 focus-within:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100",
        "group-data-selected/row:opacity-100 in-[:is(table,ul):has(:checked)]:opacity-100",
        className,
      )}
    >
      <Checkbox
        id={id}
        aria-label={`Select ${runName(run)}, ${run.runId}`}
        checked={ids.has(run.runId)}
        onChange={({ nativeEvent }) => {
          const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
          if (isRange) selection.extendTo(run.runId);
          else selection.toggle(run.runId);
        }}
      />
    </label>
  );
}

type FootProps = {
  selection: RunSelection;
  /** All runs that the list shows. */
  runs: readonly RunRow[];
  /** False while the list is asked anew and its rows are not known. */
  isRead: boolean;
};

/** What can be done with the selection, and what becomes of it, over the foot of the list. */
export function SelectionFoot({ selection, runs, isRead }: FootProps) {
  const action = useStore(useApi().keep(runsActionOf));
  const { ids, gone } = useStore(selection.state);
  // The one place that tells those who listen, there before it has anything to say.
  const [status, setStatus] = useState<HTMLElement | null>(null);
  // Before the boxes are seen: whoever selects all at once would select nothing.
  useLayoutEffect(() => {
    if (isRead) selection.setRows(runs.map(({ runId }) => runId));
  }, [selection, runs, isRead]);
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
