import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import X from "lucide-react/icons/x";
import { useEffect, useState, useSyncExternalStore } from "react";
import { runCan } from "../../../../../contract/states.ts";
import { useApi } from "../../../../lib/api/api-context.tsx";
import { useCan } from "../../../../lib/api/useCan.ts";
import { saveBlob } from "../../../../lib/saveBlob.ts";
import { Button } from "../../../../ui/Button.tsx";
import { buttonClass } from "../../../../ui/buttonClass.ts";
import { FloatingBar } from "../../../../ui/FloatingBar.tsx";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { manyRuns, type RunsAct } from "../../many-runs.ts";
import { useKillRequested } from "../../mutations.ts";
import type { RunRow } from "../../run-row.ts";
import { runsActOf } from "../usePicking.ts";
import { ActResults } from "./ActResults.tsx";
import { AgainDialog } from "./AgainDialog.tsx";
import { KillManyDialog } from "./KillManyDialog.tsx";
import type { RunPicks } from "./run-picks.ts";
import { actTitle, actWords, countRuns, namedRun, pickedWords, stepsOf } from "./words.ts";

type Props = {
  picks: RunPicks;
  /** All runs that the list shows. */
  runs: readonly RunRow[];
  /** What is being done, or was done and is not closed yet. */
  act: RunsAct | null;
  /** Takes what is to be read aloud. */
  onSay: (words: string) => void;
};

type Asking = { readonly kind: "kill" | "again"; readonly runs: readonly RunRow[]; readonly leftOut: number };

/** The acts that the selection allows, and the results of the last one. */
export default function PickedBar({ picks, runs, act, onSay }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const canDownload = useCan("run_files");
  const isKillRequested = useKillRequested();
  const { ids, gone } = useSyncExternalStore(picks.state.subscribe, picks.state.get);
  const steps = useSyncExternalStore(act?.many.steps.subscribe ?? neverChanges, () => act && stepsOf(act));
  const isBusy = act?.many.isBusy ?? false;
  const [asking, setAsking] = useState<Asking | null>(null);
  const picked = runs.filter(({ runId }) => ids.has(runId));
  const { count, remark } = pickedWords(picked, gone);
  const hasBar = picked.length > 0 || gone > 0;
  const words = [
    act && steps && `${actTitle(act)}: ${actWords(act, steps)}`,
    hasBar && [count, remark].filter(Boolean).join(", "),
  ]
    .filter(Boolean)
    .join(". ");
  useEffect(() => onSay(words), [onSay, words]);

  const begin = (next: RunsAct) => {
    if (api.keep(runsActOf).get()?.many.isBusy) return;
    api.keep(runsActOf).set(next);
    void next.many.start();
    picks.letGo();
  };
  // The button that closed something is gone with it: the focus goes to the list, which `a` leads back from.
  const close = (what: () => void) => {
    what();
    document.getElementById("content")?.focus();
  };
  const toKill = picked.filter((run) => runCan(run.state, "kill") && !isKillRequested.has(run.runId));
  const toRepeat = picked.filter((run) => runCan(run.state, "repeat") && run.flowId !== null);
  const toDownload = canDownload ? picked.filter((run) => runCan(run.state, "download")) : [];
  const ask = (kind: Asking["kind"], some: readonly RunRow[]) =>
    setAsking({ kind, runs: some, leftOut: picked.length - some.length });
  const isOff = { disabledReason: isBusy ? "Wait until the act before it has ended" : undefined };
  const [a, b] = picked.length === 2 ? picked : [];
  return (
    <div
      data-run-acts
      className="pointer-events-none flex flex-col items-center gap-2 px-4 pb-3 *:pointer-events-auto max-sm:items-stretch"
    >
      {act && <ActResults act={act} onClose={() => close(() => api.keep(runsActOf).set(null))} />}
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
                  <Link
                    to="/runs/compare"
                    search={{ a: b.runId, b: a.runId }}
                    className={buttonClass("plain", "small")}
                  >
                    Compare
                  </Link>
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
                    Kill {countRuns(toKill.length)}…
                  </Button>
                )}
              </span>
              <IconButton
                size="small"
                label="Clear the selection"
                shortcut="esc"
                onClick={() => close(picks.letGo)}
              >
                <X />
              </IconButton>
            </>
          }
        >
          <span className="font-medium">{count}</span>
          {remark !== "" && <span className="ml-2 text-muted text-secondary">{remark}</span>}
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

const neverChanges = () => () => {};
