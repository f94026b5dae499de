import { useState } from "react";
import { describeState, runStates } from "../../../contract/states.ts";
import { isolated } from "../../lib/shownText.ts";
import { ClockTime } from "../../lib/time/ClockTime.tsx";
import { useNow } from "../../lib/time/clock.tsx";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { cx } from "../../ui/cx.ts";
import { StateShape, toneBar } from "../../ui/State.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { type RunRow, runLength } from "../runs/index.ts";

import { type Cause, endOf, type Failures, whichRuns } from "./causes.ts";
import { WorkHead, WorkRow } from "./WorkRow.tsx";

type Props = { failures: Failures; rows: readonly RunRow[] };

/** What failed in the last day, by cause; what went through later folds into one line. */
export function Failing({ failures, rows }: Props) {
  const { open, mended } = failures;
  const [isShown, setShown] = useState(false);
  if (open.length + mended.length === 0) return null;
  return (
    <section aria-label="Failing">
      {open.length > 0 && (
        <WorkHead
          name="Failing"
          count={counted(open.length, "cause")}
          remark="clears when a later run succeeds"
        />
      )}
      <ul>
        {open.map((cause) => (
          <CauseRow key={cause.key} cause={cause} rows={rows} />
        ))}
        {isShown && mended.map((cause) => <CauseRow key={cause.key} cause={cause} rows={rows} isMended />)}
      </ul>
      {mended.length > 0 && (
        <p className="flex min-h-[34px] items-center gap-3 border-b py-1.5 pr-edge-right pl-edge-left text-muted">
          <StateShape tone="done" />
          <span className="min-w-0 flex-1 truncate">{mendedWords(mended, open.length > 0)}</span>
          <button
            type="button"
            aria-expanded={isShown}
            className={linkClass}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? "Hide" : "Show"}
          </button>
        </p>
      )}
    </section>
  );
}

function mendedWords(mended: readonly Cause[], hasOthers: boolean): string {
  const count = mended.reduce((sum, cause) => sum + cause.runs.length, 0);
  const failures = counted(count, hasOthers ? "other failure" : "failure");
  const names = mended.map((cause) => `${cause.title.slice(0, 60)} (${cause.runs.length})`).join(", ");
  return `${failures} later succeeded: ${names}`;
}

function CauseRow({
  cause,
  rows,
  isMended = false,
}: {
  cause: Cause;
  rows: readonly RunRow[];
  isMended?: boolean;
}) {
  const { newest, runs, title, since } = cause;
  return (
    <WorkRow
      tone={isMended ? "done" : "failed"}
      title={isolated(title)}
      why={
        <>
          {whichRuns(runs)}
          {runs.length > 1 && (
            <span className="max-sm:hidden">
              , since <ClockTime at={new Date(since).toISOString()} />
            </span>
          )}
        </>
      }
      weight={<FlowBars flowId={newest.flowId} rows={rows} />}
      age={<Ago at={new Date(endOf(newest)).toISOString()} />}
      link={{ to: "/runs/$runId", params: { runId: newest.runId } }}
      action={
        newest.flowId === null
          ? undefined
          : {
              label: "Run again",
              link: { to: "/runs/new", search: { flow: newest.flowId, from: newest.runId } },
            }
      }
    />
  );
}

/** The last twenty runs of a flow, the oldest first: whether this is new, and how often it happens. */
function FlowBars({ flowId, rows }: { flowId: string | null; rows: readonly RunRow[] }) {
  const now = useNow(false);
  const same = rows
    .filter((run) => flowId !== null && run.flowId === flowId)
    .slice(0, 20)
    .reverse();
  if (same.length < 2) return null;
  const lengths = same.map((run) => runLength(run, now) ?? 0);
  const longest = Math.max(1, ...lengths);
  return (
    <span className="flex h-4 items-end justify-end gap-0.5 max-md:hidden" aria-hidden="true">
      {same.map((run, at) => (
        <span
          key={run.runId}
          className={cx("min-h-1 w-1", toneBar[describeState(runStates, run.state).tone])}
          style={{ height: `${((lengths[at] ?? 0) / longest) * 100}%` }}
        />
      ))}
    </span>
  );
}
