import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { describeState, runStates } from "../../../../../contract/states.ts";
import { useApi } from "../../../../lib/api.tsx";
import { ResultRow, ResultsBar } from "../../../../lib/bulk/Results.tsx";
import { Refusal } from "../../../../lib/failure/Failure.tsx";
import { useStore } from "../../../../lib/useStore.ts";
import { Button } from "../../../../ui/Button.tsx";
import { linkClass } from "../../../../ui/textClass.ts";
import {
  actionTitle,
  actionWords,
  mayTryAgain,
  type NamedRun,
  type RunsAction,
  stepsOf,
  stepTone,
  stepWords,
  wasStopped,
} from "./many-runs.ts";
import { useEnds } from "./useEnds.ts";

/** How far an action on several runs is, and what became of each of them; stays until it is closed. */
export function ActionResults({ action, onClose }: { action: RunsAction; onClose: () => void }) {
  const api = useApi();
  const { many, runs } = action;
  const steps = useStore(stepsOf(action));
  const ends = useEnds();
  const waiting = many.at("waiting").length;
  const held = many.at("held");
  const toRetry = many.at("failed").filter((id) => {
    const one = steps.get(id);
    return one?.step === "failed" && mayTryAgain(api, action, one.error);
  });
  return (
    <section
      aria-label={actionTitle(action)}
      className="fade-in z-bar w-full max-w-[620px] rounded-panel border border-line-strong bg-surface-raised shadow-float"
    >
      <header className="flex min-h-11 flex-wrap items-center gap-2 py-2 pr-2 pl-3">
        <h2 className="flex-1 basis-48 tabular-nums">
          <span className="font-medium">{actionTitle(action)}</span>
          <span className="ml-2 text-muted text-secondary">{actionWords(action, steps, ends)}</span>
        </h2>
        {waiting > 0 && (
          <Button size="small" onClick={many.stop}>
            Skip the other {waiting}
          </Button>
        )}
        {held.length > 0 && (
          <Button size="small" onClick={() => void many.start(held)}>
            Resume {held.length}
          </Button>
        )}
        {toRetry.length > 0 && (
          <Button size="small" onClick={() => void many.start(toRetry)}>
            Try {toRetry.length} again
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          onClick={onClose}
          disabledReason={many.isBusy ? "In progress" : undefined}
          reasonAs="title"
        >
          Close
        </Button>
      </header>
      <ResultsBar done={many.at("done").length} failed={many.at("failed").length} total={runs.length} />
      {action.kind === "download" && runs.length > 1 && (
        <p className="px-3 pt-2 text-muted text-secondary">
          One zip per run. Your browser may ask to allow multiple downloads.
        </p>
      )}
      <ul aria-label="Results" className="max-h-[36vh] divide-y divide-line overflow-y-auto px-3">
        {runs.map((run) => {
          const one = steps.get(run.runId);
          if (!one) return null;
          const end = wasStopped(one) ? ends.get(run.runId) : undefined;
          return (
            <ResultRow
              key={run.runId}
              tone={end === undefined ? stepTone(one) : describeState(runStates, end).tone}
              name={
                <RunName run={run}>
                  <Link to="/runs/$runId" params={{ runId: run.runId }} className="hover:underline">
                    {run.name}
                  </Link>
                </RunName>
              }
            >
              {end === undefined
                ? stepWords(action.kind, one, one.step === "failed" && mayTryAgain(api, action, one.error))
                : describeState(runStates, end).title}
              {one.step === "done" && "runId" in one.result && (
                <>
                  {" as "}
                  <Link to="/runs/$runId" params={{ runId: one.result.runId }} className={linkClass}>
                    {one.result.runId}
                  </Link>
                </>
              )}
              {one.step === "failed" && (
                <span className="ml-1.5">
                  <Refusal error={one.error} />
                </span>
              )}
            </ResultRow>
          );
        })}
      </ul>
    </section>
  );
}

/** What a run is called, and what tells it from the others of its flow. `children` stands for the name. */
export function RunName({ run, children = run.name }: { run: NamedRun; children?: ReactNode }) {
  return (
    <>
      <bdi className="font-medium">{children}</bdi>{" "}
      {run.about === null ? (
        <code className="ml-1 font-normal text-mono text-muted">{run.runId}</code>
      ) : (
        <bdi className="ml-1 font-normal text-muted">{run.about}</bdi>
      )}
    </>
  );
}
