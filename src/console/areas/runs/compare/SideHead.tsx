import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isMoving } from "../../../lib/run-state.ts";
import { ClockTime, Length } from "../../../lib/time/Time.tsx";
import { dottedClass } from "../../../ui/dottedClass.ts";
import { Id } from "../../../ui/Id.tsx";
import type { RunFacts } from "../detail/useRun.ts";
import { RunStatePill } from "../RunStatePill.tsx";

type Props = {
  letter: "A" | "B";
  runId: string;
  facts: RunFacts;
  /** What is special about it: "the last good run". */
  remark: string | null;
  /** The button that puts another run here. */
  pick: ReactNode;
};

/** One of two runs that are compared: its name, state, when and how long. */
export function SideHead({ letter, runId, facts, remark, pick }: Props) {
  const { run, flowName, flowId } = facts;
  return (
    <section
      aria-label={`Run ${letter}`}
      className="flex min-w-0 items-start gap-2 py-3.5 pr-edge-right pl-edge-left max-sm:not-first:border-t sm:not-first:border-l"
    >
      <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-tag border border-line-strong font-medium text-secondary">
        {letter}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="min-w-0 truncate text-heading">
            <Link to="/runs/$runId" params={{ runId }} className="hover:underline">
              {flowName ?? flowId ?? runId}
            </Link>
          </h2>
          {run && <RunStatePill state={run.state ?? null} />}
        </div>
        <p className={`mt-0.5 text-muted text-secondary ${dottedClass}`}>
          <Id id={runId} what={`run id of ${letter}`} cut={[10, 6]} className="text-default" />
          {run?.created_ts && (
            <span>
              <ClockTime at={run.created_ts} />,{" "}
              <Length from={run.created_ts} to={run.finished_ts} isMoving={isMoving(run.state)} />
            </span>
          )}
          {remark !== null && <span>{remark}</span>}
        </p>
      </div>
      {pick}
    </section>
  );
}
