import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../contract/states.ts";
import { isMoving } from "../../lib/run-state.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDuration } from "../../lib/time/format.ts";
import { DurationBar } from "../../ui/DurationBar.tsx";
import { linkClass } from "../../ui/linkClass.ts";
import { PanelSection } from "../../ui/Panel.tsx";
import { StateShape } from "../../ui/StateShape.tsx";
import { toneWord } from "../../ui/tone.ts";
import {
  firstInputs,
  type RunRow,
  runLength,
  runName,
  type Usual,
  useKillRequested,
  usualTime,
  usualWords,
} from "../runs/index.ts";

const most = 8;

/** What runs at the moment, against the time that it usually takes. */
export function RunningNow({ rows }: { rows: readonly RunRow[] }) {
  const moving = rows.filter((run) => isMoving(run.state));
  const now = useNow(moving.length > 0);
  const requested = useKillRequested();
  return (
    <PanelSection
      title={
        <>
          Running now <span className="font-normal text-muted tabular-nums">{moving.length}</span>
        </>
      }
      {...(moving.some((run) => usualOf(run, rows)) && { aside: "grey: the usual time" })}
    >
      {moving.length === 0 && <p className="text-muted">Nothing at the moment.</p>}
      {moving.length > 0 && (
        <ul className="flex flex-col gap-2.5">
          {moving.slice(0, most).map((run) => (
            <Running
              key={run.runId}
              run={run}
              now={now}
              usual={usualOf(run, rows)}
              isKillRequested={requested.has(run.runId)}
            />
          ))}
        </ul>
      )}
      {moving.length > most && (
        <p className="pt-2">
          <Link to="/runs" search={{ view: "moving" }} className={linkClass}>
            {moving.length - most} more
          </Link>
        </p>
      )}
    </PanelSection>
  );
}

const usualOf = (run: RunRow, rows: readonly RunRow[]) =>
  run.flowId === null ? null : usualTime(rows.filter((other) => other.flowId === run.flowId));

type RowProps = { run: RunRow; now: number; usual: Usual | null; isKillRequested: boolean };

function Running({ run, now, usual, isKillRequested }: RowProps) {
  const described = describeState(runStates, run.state);
  const tone = isKillRequested ? "stopping" : described.tone;
  const length = runLength(run, now) ?? 0;
  const scale = Math.max(length, (usual?.to ?? length) * 1.15, 1);
  const why = [
    isKillRequested
      ? "you asked to kill it"
      : tone === "waiting"
        ? "waits for its turn"
        : firstInputs(run.inputs, 1),
    usual && usualWords(usual),
  ];
  return (
    <li className="flex items-start gap-2.5">
      <StateShape tone={tone} label={described.word} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <Link to="/runs/$runId" params={{ runId: run.runId }} className="hover:underline">
            {runName(run)}
          </Link>
        </p>
        <p className="truncate text-muted text-secondary">{why.filter(Boolean).join(" · ")}</p>
      </div>
      <span className="flex shrink-0 flex-col items-end gap-1.5">
        <span className={`tabular-nums ${toneWord[tone]}`}>{formatDuration(length)}</span>
        {usual && (
          <DurationBar
            className="w-16 self-end"
            tone={tone}
            share={length / scale}
            usual={{ from: usual.from / scale, to: usual.to / scale }}
          />
        )}
      </span>
    </li>
  );
}
