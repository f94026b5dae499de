import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { describeState, shownRunStates } from "../../../contract/states.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { isMoving } from "../../lib/run-state.ts";
import { shownName } from "../../lib/shownName.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDuration, formatMoment } from "../../lib/time/format.ts";
import { formatTime } from "../../lib/time/format-time.ts";
import { counted } from "../../lib/words.ts";
import { DurationBar } from "../../ui/Chart.tsx";
import { cx } from "../../ui/cx.ts";
import { PanelSection } from "../../ui/Panel.tsx";
import { StateShape, type Tone, toneBar, toneWord } from "../../ui/State.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { artifactQueries } from "../artifacts/index.ts";
import { agentQueries } from "../directory/index.ts";
import {
  firstInputs,
  makeStrip,
  type RunRow,
  runLength,
  runName,
  type Usual,
  useKillRequested,
  usualTime,
  usualWords,
} from "../runs/index.ts";
import { changesOf } from "./changes.ts";

const mostRunning = 8;

/** What runs at the moment, against the time that it usually takes. */
export function RunningNow({ rows }: { rows: readonly RunRow[] }) {
  const moving = rows.filter((run) => isMoving(run.state));
  // What waits for a person does nothing at the moment: it stands below, and is counted apart.
  const asking = moving.filter(isAsking);
  const running = [...moving.filter((run) => !isAsking(run)), ...asking];
  const now = useNow(running.length > 0);
  const requested = useKillRequested();
  return (
    <PanelSection
      title={
        <>
          Running now{" "}
          <span className="font-normal text-muted tabular-nums">
            {running.length - asking.length}
            {asking.length > 0 && `, ${counted(asking.length, "needs", "need")} an answer`}
          </span>
        </>
      }
      {...(running.some((run) => usualOf(run, rows)) && { aside: "grey: usual time" })}
    >
      {running.length === 0 && <p className="text-muted">Nothing is running.</p>}
      {running.length > 0 && (
        <ul className="flex flex-col gap-2.5">
          {running.slice(0, mostRunning).map((run) => (
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
      {running.length > mostRunning && (
        <p className="pt-2">
          <Link to="/runs" search={{ view: "moving" }} className={linkClass}>
            {running.length - mostRunning} more
          </Link>
        </p>
      )}
    </PanelSection>
  );
}

const isAsking = ({ state }: RunRow): boolean => state === "ASKING";

const usualOf = (run: RunRow, rows: readonly RunRow[]) =>
  run.flowId === null ? null : usualTime(rows.filter((other) => other.flowId === run.flowId));

type RowProps = { run: RunRow; now: number; usual: Usual | null; isKillRequested: boolean };

function Running({ run, now, usual, isKillRequested }: RowProps) {
  const described = describeState(shownRunStates, run.state);
  const tone = isKillRequested ? "stopping" : described.tone;
  const length = runLength(run, now) ?? 0;
  const scale = Math.max(length, (usual?.to ?? length) * 1.15, 1);
  const why = [
    isKillRequested ? "stop requested" : isAsking(run) ? "needs an answer" : tone === "waiting" && "queued",
    firstInputs(run.inputs),
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

const marked: readonly Tone[] = ["failed", "stopped"];

/** The runs of the last day at a glance: one bar each, in order of start. Leads to the list. */
export function DayStrip({ rows, now, isCut }: { rows: readonly RunRow[]; now: number; isCut: boolean }) {
  const strip = useMemo(() => makeStrip(rows, now), [rows, now]);
  const runs = `${rows.length}${isCut ? "+" : ""} ${rows.length === 1 ? "run" : "runs"}`;
  return (
    <PanelSection
      title="Last 24 hours"
      aside={
        <span className="flex gap-3">
          <span>{runs}</span>
          {strip.failed > 0 && <span className="text-state-failed-fg">{strip.failed} failed</span>}
        </span>
      }
    >
      {strip.bars.length === 0 ? (
        <p className="text-muted">No runs yet.</p>
      ) : (
        <Link
          to="/runs"
          search={{ started: "24h" }}
          aria-label={`${runs} in the last 24 hours, ${strip.failed} failed`}
          className="flex h-10 items-stretch gap-px rounded-tag hover:opacity-80"
        >
          {strip.bars.map((bar) => (
            <span key={bar.runId} className="relative flex max-w-2 flex-1 flex-col justify-end pb-1.5">
              <span
                className={cx("block min-h-px", toneBar[bar.tone])}
                style={{ height: `${bar.share * 100}%` }}
              />
              {marked.includes(bar.tone) && (
                <span className={cx("absolute inset-x-0 bottom-0 h-1", toneBar[bar.tone])} />
              )}
            </span>
          ))}
        </Link>
      )}
    </PanelSection>
  );
}

const mostChanges = 8;
/** A length in words, which stands in one line. */
const aLength = /\d[\d.]*(?: [dhm] \d+)? (?:ms|[dhms])\b/g;
const unbroken = (words: string): string => words.replaceAll(" ", "\u00a0");

/** What changed in the last day, as far as the service tells it: flows that were done, files, new agents. */
export function Changed({ rows, now }: { rows: readonly RunRow[]; now: number }) {
  const api = useApi();
  const { zone } = usePreferences();
  const artifacts = useQuery({ ...artifactQueries.all(api), enabled: useCan("artifacts") });
  const agents = useQuery(agentQueries.list(api));
  const changes = changesOf(
    {
      rows,
      artifacts: artifacts.data?.data.artifacts ?? [],
      agents: agents.data?.data.agents ?? [],
    },
    now,
  );
  return (
    <PanelSection
      title="Changed"
      aside={
        <Link to="/runs" search={{ started: "24h" }} className={linkClass}>
          All runs
        </Link>
      }
    >
      {changes.length === 0 && <p className="text-muted">No changes in the last 24 hours.</p>}
      {changes.length > 0 && (
        <ul className="flex flex-col gap-2 max-sm:gap-5">
          {changes.slice(0, mostChanges).map((change) => (
            <li key={change.key} className="flex gap-3.5">
              <time
                dateTime={new Date(change.at).toISOString()}
                title={formatMoment(change.at, { zone })}
                className="w-12 shrink-0 text-muted text-secondary leading-5 tabular-nums"
              >
                {formatTime(change.at, { zone, now }, "minute")}
              </time>
              <p className="min-w-0 break-words text-secondary leading-5">
                <span className="font-medium">
                  {change.link === null ? (
                    <bdi>{shownName(change.subject)}</bdi>
                  ) : (
                    <Link {...change.link} className="hit hover:underline">
                      <bdi>{shownName(change.subject)}</bdi>
                    </Link>
                  )}
                </span>{" "}
                <span className="text-muted">{change.does.replaceAll(aLength, unbroken)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {changes.length > mostChanges && (
        <p className="pt-2 text-faint text-secondary">{changes.length - mostChanges} more not shown</p>
      )}
    </PanelSection>
  );
}
