import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { SubRun } from "../../../../contract/run.ts";
import { describeState, runStates } from "../../../../contract/states.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Duration } from "../../../lib/time/Duration.tsx";
import { counted } from "../../../lib/words.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { plainLinkClass } from "../../../ui/textClass.ts";
import { ValuesViewer } from "./ValuesViewer.tsx";

/** Inputs as they were sent; null where neither the service nor this browser knows them. */
export function Inputs({ inputs }: { inputs: Readonly<Record<string, unknown>> | null }) {
  if (inputs === null) {
    return (
      <Quiet>
        Unknown: this service does not report inputs, and the run was not started from this browser.
      </Quiet>
    );
  }
  if (Object.keys(inputs).length === 0) return <Quiet>No inputs: the flow used its defaults.</Quiet>;
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
    return <ValuesViewer values={outputs} />;
  }
  if (state === "DONE") return <Quiet>This flow has no named outputs.</Quiet>;
  if (isMoving(state)) return <Quiet>Available when the run finishes.</Quiet>;
  return <Quiet>No outputs: only completed runs have outputs.</Quiet>;
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
                    <bdi>{shownName(run.saved_item_name ?? run.saved_item_id ?? run.run_id ?? "")}</bdi>
                  </Link>
                ) : (
                  "a run without an ID"
                )}
                {run.node && <span className="text-muted text-secondary"> · {run.node}</span>}
              </span>
              <span className="whitespace-nowrap text-muted text-secondary">
                <Duration from={run.created_ts} to={run.finished_ts} isMoving={isMoving(run.state)} />
              </span>
            </li>
          );
        })}
      </ul>
      {canKill && runs.some((run) => isMoving(run.state)) && (
        <p className="pt-1.5 text-muted text-secondary">Stopping this run also stops its sub-runs.</p>
      )}
    </>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className="text-muted">{children}</p>;
}

/** More than this is shown only when asked for: a value may be megabytes long. */
const shownAtOnce = 2_000;
const shownAtMost = 200_000;

/** One input or output: its name, its value as text or as JSON, and a button that copies all of it. */
function ValueView({ name, value }: { name: string; value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const isText = typeof value === "string";
  const text = isText ? value : JSON.stringify(value, null, 2);
  const shown = text.slice(0, isWhole ? shownAtMost : shownAtOnce);
  return (
    <div className="py-1.5">
      <div className="flex h-6 items-center justify-between gap-2">
        <span className="truncate text-mono-narrow text-muted" title={name}>
          {name}
        </span>
        <CopyButton text={text} what={name} look="inline" />
      </div>
      {text === "" ? (
        <p className="text-faint">empty</p>
      ) : isText ? (
        <p className="whitespace-pre-wrap break-words" dir="auto">
          {shown}
        </p>
      ) : (
        <pre className="overflow-x-auto rounded-tag bg-surface-sunken px-2 py-1.5 text-mono-json">
          {shown}
        </pre>
      )}
      {shown.length < text.length && (
        <p className="pt-1 text-muted text-secondary">
          {counted(text.length - shown.length, "more character")}.{" "}
          {isWhole ? (
            "Copy it to see the rest."
          ) : (
            <button type="button" className={plainLinkClass} onClick={() => setWhole(true)}>
              Show more
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Names and values of a whole record, in the order that they came. */
function Values({ values }: { values: Readonly<Record<string, unknown>> }) {
  return (
    <div className="-my-1.5">
      {Object.keys(values).map((name) => (
        <ValueView key={name} name={name} value={values[name]} />
      ))}
    </div>
  );
}
