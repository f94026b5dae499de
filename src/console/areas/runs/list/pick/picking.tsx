import { useEffect, useId, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useApi } from "../../../../lib/api/api-context.tsx";
import { LazyPart } from "../../../../lib/LazyPart.tsx";
import type { Shortcut } from "../../../../lib/page/shortcuts.ts";
import { Checkbox } from "../../../../ui/Checkbox.tsx";
import { cx } from "../../../../ui/cx.ts";
import { later } from "../../../../ui/later.ts";
import { useKillRequested } from "../../mutations.ts";
import { RunState } from "../../RunState.tsx";
import { type RunRow, runName } from "../../run-row.ts";
import { runsActOf } from "../usePicking.ts";
import { RunPicks } from "./run-picks.ts";

const PickedBar = later(() => import("./PickedBar.tsx"));

/** All that the list needs for selecting, in one piece of code that it loads later. */
export interface Picking {
  readonly picks: RunPicks;
  readonly keysOf: typeof keysOf;
  readonly PickAll: typeof PickAll;
  readonly PickRun: typeof PickRun;
  readonly StateOf: typeof StateOf;
  readonly PickFoot: typeof PickFoot;
}

/** Begins with nothing selected, once: what was begun before stays. */
export default function begin(before: Picking | null): Picking {
  return before ?? { picks: new RunPicks(), keysOf, PickAll, PickRun, StateOf, PickFoot };
}

const usePicked = ({ state }: RunPicks) => useSyncExternalStore(state.subscribe, state.get);

/**
 * The keys of selecting. Escape is not among them: what it closes depends on the page.
 * @param cursor the run that `j` and `k` stand on
 * @param step moves there, and says where that is
 */
function keysOf(
  picks: RunPicks,
  cursor: string | undefined,
  step: (by: 1 | -1) => string | undefined,
): readonly Shortcut[] {
  const extend = (by: 1 | -1) => {
    const next = step(by);
    if (next !== undefined) picks.extendTo(next, cursor);
  };
  return [
    { keys: "x", does: "Select the run", run: () => cursor !== undefined && picks.toggle(cursor) },
    { keys: "J", does: "Select on to the next run", run: () => extend(1) },
    { keys: "K", does: "Select on to the previous run", run: () => extend(-1) },
    {
      keys: "a",
      does: "Go to the actions on the selection",
      run: () => document.querySelector<HTMLElement>("[data-run-acts] button")?.focus(),
    },
  ];
}

/** Selects all that are shown. */
function PickAll({ picks }: { picks: RunPicks }) {
  const { rows, ids } = usePicked(picks);
  return (
    <Checkbox
      aria-label="Select all that are shown"
      checked={ids.size > 0 && ids.size === rows.length}
      isPartial={ids.size > 0 && ids.size < rows.length}
      onChange={(event) => picks.all(event.target.checked)}
    />
  );
}

/** Selects one run: seen where a hand or the keyboard is, where a finger has to find it, and while any is selected. */
function PickRun({ picks, run, className }: { picks: RunPicks; run: RunRow; className: string }) {
  const { ids } = usePicked(picks);
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
          if (isRange) picks.extendTo(run.runId);
          else picks.toggle(run.runId);
        }}
      />
    </label>
  );
}

/** The state of one run, with what was asked of it. */
function StateOf({ picks, run }: { picks: RunPicks; run: RunRow }) {
  const killed = useSyncExternalStore(picks.killed.subscribe, picks.killed.get);
  return <RunState state={run.state} isKillRequested={killed.has(run.runId)} />;
}

/** What can be done with the selection, and what becomes of it, over the foot of the list. */
function PickFoot({
  picks,
  runs,
  isRead,
}: {
  picks: RunPicks;
  runs: readonly RunRow[];
  /** False while the list is asked anew and its rows are not known. */
  isRead: boolean;
}) {
  const runsAct = useApi().keep(runsActOf);
  const act = useSyncExternalStore(runsAct.subscribe, runsAct.get);
  const { ids, gone } = usePicked(picks);
  const [words, setWords] = useState("");
  // Before the boxes are seen: whoever selects all at once would select nothing.
  useLayoutEffect(() => {
    if (isRead) picks.keep(runs.map(({ runId }) => runId));
  }, [picks, runs, isRead]);
  const killed = JSON.stringify([...useKillRequested()]);
  useEffect(() => picks.killed.set(new Set<string>(JSON.parse(killed))), [picks, killed]);
  const isOpen = ids.size + gone > 0 || act !== null;
  return (
    <>
      {/* The one place that tells those who listen, there before it has anything to say. */}
      <p role="status" className="sr-only">
        {isOpen && words}
      </p>
      {isOpen && (
        <LazyPart>
          <PickedBar picks={picks} runs={runs} act={act} onSay={setWords} />
        </LazyPart>
      )}
    </>
  );
}
