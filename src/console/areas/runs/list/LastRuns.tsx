import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../../contract/states.ts";
import { formatDuration } from "../../../lib/time/format.ts";
import { cx } from "../../../ui/cx.ts";
import { PanelSection } from "../../../ui/Panel.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { toneBar } from "../../../ui/tone.ts";
import { type RunRow, runLength } from "../run-row.ts";
import { useRunsOfFlow } from "../runs-of-flow.ts";
import { readRunsSearch } from "../search.ts";
import { useRunsNow } from "./useRunList.ts";

const most = 20;

/**
 * The newest runs of a flow, whatever the list is narrowed to: those of the service, else those that this browser knows,
 * among which others may be missing.
 */
export function LastRuns({ of, flowId }: { of: Pick<RunRow, "runId" | "error">; flowId: string }) {
  const { runs, isReading, isTold } = useRunsOfFlow(flowId, { isWatched: true });
  const same = (isTold ? runs.filter((run) => run.source === "service") : runs).slice(0, most).reverse();
  const now = useRunsNow(same);
  if (isReading || same.length < 2) return null;
  const lengths = same.map((run) => runLength(run, now) ?? 0);
  const longest = Math.max(1, ...lengths);
  const alike = of.error === null ? 0 : same.filter((run) => run.error === of.error).length;
  return (
    <PanelSection
      title={
        <span className="font-normal text-muted">
          {isTold ? `Last ${same.length} runs` : `Last ${same.length} runs known here`}
        </span>
      }
      {...(alike > 1 && { aside: `${alike} with this error` })}
    >
      <div className="flex h-7 items-end gap-[3px]">
        {same.map((run, at) => {
          const { word, tone } = describeState(runStates, run.state);
          const length = formatDuration(lengths[at] ?? 0, { fine: true });
          return (
            <Tooltip key={run.runId} content={`${word}, ${length}`} describes={false}>
              <Link
                to="/runs"
                search={(old) => readRunsSearch({ ...old, run: run.runId })}
                replace
                aria-label={`Run ${run.runId}, ${word}, ${length}`}
                className={cx(
                  "block min-h-1 w-[10px]",
                  toneBar[tone],
                  run.runId === of.runId && "outline-2 outline-accent-solid outline-offset-1",
                )}
                style={{ height: `${((lengths[at] ?? 0) / longest) * 100}%` }}
              />
            </Tooltip>
          );
        })}
      </div>
    </PanelSection>
  );
}
