import { useQueryClient } from "@tanstack/react-query";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { createPortal } from "react-dom";
import { runCan } from "../../../../../contract/state-actions.ts";
import { Store } from "../../../../api/store.ts";
import { useApi, useCan } from "../../../../lib/api.tsx";
import { saveBlob } from "../../../../lib/files.ts";
import type { RowSelection } from "../../../../lib/list/RowSelection.ts";
import { LinkButton } from "../../../../lib/page/LinkButton.tsx";
import { useMissingRights } from "../../../../lib/rights/rights.ts";
import { useStore } from "../../../../lib/useStore.ts";
import { grouped } from "../../../../lib/words.ts";
import { Button, IconButton } from "../../../../ui/Button.tsx";
import { FloatingBar } from "../../../../ui/FloatingBar.tsx";
import { useKillRequested } from "../../kill.ts";
import type { RunRow } from "../../run-row.ts";
import { ActionResults } from "./ActionResults.tsx";
import {
  actionTitle,
  actionWords,
  countRuns,
  manyRuns,
  namedRun,
  type RunsAction,
  selectedWords,
  stepsOf,
} from "./many-runs.ts";
import { AgainDialog, KillManyDialog } from "./SelectionDialogs.tsx";
import { runsActionOf } from "./SelectRuns.tsx";
import { useEnds } from "./useEnds.ts";

type Props = {
  selection: RowSelection;
  /** All runs that the list shows. */
  runs: readonly RunRow[];
  /** What is being done, or was done and is not closed yet. */
  action: RunsAction | null;
  /** Where what is to be read aloud is written. */
  status: HTMLElement | null;
};

type Asking = { readonly kind: "kill" | "again"; readonly runs: readonly RunRow[]; readonly leftOut: number };

/** The actions that the selection allows, and the results of the last one. */
export default function SelectionBar({ selection, runs, action, status }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const canDownload = useCan("run_files");
  const isKillRequested = useKillRequested();
  const { ids, gone } = useStore(selection.state);
  const steps = useStore(action ? stepsOf(action) : noSteps);
  const ends = useEnds();
  const isBusy = action?.many.isBusy ?? false;
  const [asking, setAsking] = useState<Asking | null>(null);
  const selected = runs.filter(({ runId }) => ids.has(runId));
  const { count, remark } = selectedWords(selected, gone);
  const hasBar = selected.length > 0 || gone > 0;
  const words = [
    action && `${actionTitle(action)}: ${actionWords(action, steps, ends)}`,
    hasBar && [count, remark].filter(Boolean).join(", "),
  ]
    .filter(Boolean)
    .join(". ");

  const begin = (next: RunsAction) => {
    if (api.keep(runsActionOf).get()?.many.isBusy) return;
    api.keep(runsActionOf).set(next);
    void next.many.start();
    selection.clear();
  };
  // The button that closed something is gone with it: the focus goes to the list, which `a` leads back from.
  const close = (what: () => void) => {
    what();
    document.getElementById("content")?.focus();
  };
  const missing = useMissingRights(selected.some(({ teamId }) => teamId != null));
  const lackOf = ({ userId, teamId }: RunRow) =>
    userId !== null && userId === api.who.userId ? undefined : missing(teamId, "operate");
  const lacking = selected.map(lackOf).find((words) => words !== undefined);
  const allowed = lacking === undefined ? selected : selected.filter((run) => lackOf(run) === undefined);
  const toKill = allowed.filter((run) => runCan(run.state, "kill") && !isKillRequested.has(run.runId));
  const toRepeat = selected.filter((run) => runCan(run.state, "repeat") && run.flowId !== null);
  const toDownload = canDownload ? allowed.filter((run) => runCan(run.state, "download")) : [];
  const ask = (kind: Asking["kind"], some: readonly RunRow[]) =>
    setAsking({ kind, runs: some, leftOut: selected.length - some.length });
  const isOff = { disabledReason: isBusy ? "Wait until the current action finishes" : undefined };
  const [a, b] = selected.length === 2 ? selected : [];
  return (
    <div
      data-run-actions
      className="pointer-events-none flex flex-col items-center gap-2 px-4 pb-3 *:pointer-events-auto max-sm:items-stretch"
    >
      {status && createPortal(words, status)}
      {action && (
        <ActionResults action={action} onClose={() => close(() => api.keep(runsActionOf).set(null))} />
      )}
      {hasBar && (
        <FloatingBar
          label="Selected runs"
          actions={
            <>
              {/* On phones in a line of their own, so that the way out stays beside the count. */}
              <span className="contents gap-2 max-sm:order-1 max-sm:flex max-sm:basis-full max-sm:flex-wrap">
                {toRepeat.length > 0 && (
                  <Button size="small" onClick={() => ask("again", toRepeat)} {...isOff} reasonAs="title">
                    Run {toRepeat.length} again…
                  </Button>
                )}
                {a && b && (
                  <LinkButton to="/runs/compare" search={{ a: b.runId, b: a.runId }} size="small">
                    Compare
                  </LinkButton>
                )}
                {toDownload.length > 0 && (
                  <Button
                    size="small"
                    onClick={() => begin(manyRuns.download(api, queries, toDownload.map(namedRun), saveBlob))}
                    {...isOff}
                    reasonAs="title"
                  >
                    Download {toDownload.length}
                  </Button>
                )}
                {toKill.length > 0 && (
                  <Button
                    size="small"
                    variant="danger"
                    onClick={() => ask("kill", toKill)}
                    {...isOff}
                    reasonAs="title"
                  >
                    Stop {countRuns(toKill.length)}…
                  </Button>
                )}
                {/* The rows of phones have no head whose box selects all. */}
                {selected.length < runs.length && (
                  <Button
                    size="small"
                    variant="quiet"
                    className="sm:hidden"
                    onClick={() => {
                      selection.all(true);
                      document.querySelector<HTMLElement>("[data-run-actions] button")?.focus();
                    }}
                  >
                    Select all {grouped(runs.length)} shown
                  </Button>
                )}
              </span>
              <IconButton
                size="small"
                label="Clear selection"
                shortcut="esc"
                onClick={() => close(selection.clear)}
              >
                <X />
              </IconButton>
            </>
          }
        >
          <span className="font-medium">{count}</span>
          {remark !== "" && <span className="ml-2 text-muted text-secondary">{remark}</span>}
          {lacking !== undefined && (
            <span className="ml-2 text-muted text-secondary">Stop, download: {lacking}</span>
          )}
        </FloatingBar>
      )}
      {asking?.kind === "kill" && (
        <KillManyDialog
          runs={asking.runs.map(namedRun)}
          leftOut={asking.leftOut}
          onClose={() => setAsking(null)}
          onKill={(some) => begin(manyRuns.kill(api, queries, some))}
        />
      )}
      {asking?.kind === "again" && (
        <AgainDialog
          runs={asking.runs}
          leftOut={asking.leftOut}
          onClose={() => setAsking(null)}
          onStart={(some) => begin(manyRuns.again(api, queries, some))}
        />
      )}
    </div>
  );
}

const noSteps: ReturnType<typeof stepsOf> = new Store(new Map());
