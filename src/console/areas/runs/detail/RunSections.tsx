import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { RunFile, SubRun } from "../../../../contract/run.ts";
import { describeState, runStates } from "../../../../contract/states.ts";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { shownName } from "../../../lib/shownName.ts";
import { formatSize } from "../../../lib/time/format.ts";
import { Length } from "../../../lib/time/Time.tsx";
import { Button } from "../../../ui/Button.tsx";
import { later } from "../../../ui/later.ts";
import { StateShape } from "../../../ui/StateShape.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { Values } from "./ValueView.tsx";

const ValuesViewer = later(() => import("./ValuesViewer.tsx"));

/** Inputs as they were sent; null where neither the service nor this browser knows them. */
export function Inputs({ inputs }: { inputs: Readonly<Record<string, unknown>> | null }) {
  if (inputs === null) {
    return (
      <Quiet>
        Not known here: this service does not tell the inputs of a run, and it was not started from this
        browser.
      </Quiet>
    );
  }
  if (Object.keys(inputs).length === 0) return <Quiet>None were given: the flow used its defaults.</Quiet>;
  return <Values values={inputs} />;
}

/** Outputs, which come when the run is done (§2.2). */
export function Outputs({
  outputs,
  state,
}: {
  outputs: Readonly<Record<string, unknown>> | null | undefined;
  state: string | null;
}) {
  if (outputs && Object.keys(outputs).length > 0) {
    return (
      <LazyPart fallback={<Values values={outputs} />}>
        <ValuesViewer values={outputs} />
      </LazyPart>
    );
  }
  if (state === "DONE") return <Quiet>This flow has no named outputs.</Quiet>;
  if (isMoving(state)) return <Quiet>Available when the run finishes.</Quiet>;
  return <Quiet>None: outputs are given only by a run that is done.</Quiet>;
}

type FilesProps = {
  files: readonly Received<RunFile>[];
  isLoading: boolean;
  onDownload: (names: readonly string[]) => void;
};

/** Files that the run wrote. */
export function Files({ files, isLoading, onDownload }: FilesProps) {
  const named = files.flatMap((file) => (file.name ? [{ ...file, name: file.name }] : []));
  return (
    <>
      <ul className="flex flex-col gap-1.5">
        {named.map((file) => (
          <li key={file.name} className="flex items-baseline justify-between gap-3">
            <Tooltip content="Download as a zip">
              <button
                type="button"
                onClick={() => onDownload([file.name])}
                className="min-w-0 truncate text-left hover:underline"
              >
                <bdi>{shownName(file.name)}</bdi>
              </button>
            </Tooltip>
            <span className="whitespace-nowrap text-muted text-secondary tabular-nums">
              {typeof file.size === "number" ? formatSize(file.size) : "size not given"}
            </span>
          </li>
        ))}
      </ul>
      {named.length > 0 && (
        <Button
          size="small"
          className="mt-2.5"
          loading={isLoading}
          onClick={() => onDownload(named.map((file) => file.name))}
        >
          {named.length === 1 ? "Download as a zip" : `Download all ${named.length} as a zip`}
        </Button>
      )}
    </>
  );
}

/** Runs that nodes of this run started. */
export function SubRuns({ runs, canKill }: { runs: readonly Received<SubRun>[]; canKill: boolean }) {
  return (
    <>
      <ul className="flex flex-col gap-1">
        {runs.map((run) => {
          const { tone, word } = describeState(runStates, run.state);
          return (
            <li key={run.run_id} className="flex items-center gap-2.5">
              <StateShape tone={tone} label={word} />
              <span className="min-w-0 flex-1 truncate">
                {run.run_id ? (
                  <Link to="/runs/$runId" params={{ runId: run.run_id }} className="hover:underline">
                    {shownName(run.saved_item_name ?? run.saved_item_id ?? run.run_id ?? "")}
                  </Link>
                ) : (
                  "a run without an id"
                )}
                {run.node && <span className="text-muted text-secondary"> · {run.node}</span>}
              </span>
              <span className="whitespace-nowrap text-muted text-secondary">
                <Length from={run.created_ts} to={run.finished_ts} isMoving={isMoving(run.state)} />
              </span>
            </li>
          );
        })}
      </ul>
      {canKill && runs.some((run) => isMoving(run.state)) && (
        <p className="pt-1.5 text-muted text-secondary">Killing this run stops its sub-runs too.</p>
      )}
    </>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className="text-muted">{children}</p>;
}
