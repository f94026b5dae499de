import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { describeState, runStates } from "../../../../contract/states.ts";
import { plainText } from "../../../lib/ansi.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { PanelBar } from "../../../lib/page/PanelHead.tsx";
import { hasFailed, useRead } from "../../../lib/paging/useRead.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { ClockTime } from "../../../lib/time/ClockTime.tsx";
import { useTimeReader } from "../../../lib/time/clock.tsx";
import { useDuration } from "../../../lib/time/Duration.tsx";
import { formatDuration, parseTime } from "../../../lib/time/format.ts";
import { grouped } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { DefinitionList } from "../../../ui/DefinitionList.tsx";
import { Id } from "../../../ui/Id.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { PanelSection } from "../../../ui/Panel.tsx";
import { toneBar } from "../../../ui/State.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { useKillRequested } from "../kill.ts";
import { readLine } from "../log/line.ts";
import { logTime } from "../log/log-options.ts";
import { useFirstError, useLogValue, useRunReader } from "../log/useRunLog.ts";
import { runQueries } from "../queries.ts";
import { RunStatePill } from "../RunStatePill.tsx";
import { type RunRow, rowOfService, runLength, runName, valueWord } from "../run-row.ts";
import { useRunsOfFlow } from "../runs-of-flow.ts";
import { readRunsSearch } from "../search.ts";
import { useRunsNow } from "./useRunList.ts";

type Props = { runId: string; rows: readonly RunRow[]; onClose: () => void };

const tail = 15;

/** The selected run without leaving the list: its error, the last runs of its flow, its inputs, the end of its log. */
export default function RunPanel({ runId, rows, onClose }: Props) {
  const api = useApi();
  const read = useRead(runQueries.run(api, runId));
  const listed = rows.find((one) => one.runId === runId);
  const canTell = useCan("run_details");
  const details = useQuery({ ...runQueries.details(api, runId), enabled: canTell && listed === undefined });
  const row = listed ?? (details.data && rowOfService(details.data.data)) ?? undefined;
  const run = read.data?.data;
  const state = run?.state ?? row?.state ?? null;
  const createdTs = run?.created_ts ?? row?.createdTs ?? null;
  const finishedTs = run?.finished_ts ?? row?.finishedTs ?? null;
  const moves = isMoving(state);
  const length = useDuration(createdTs, finishedTs, moves);
  const isKillRequested = useKillRequested().has(runId);
  const inputs = Object.entries(row?.inputs ?? {});
  const firstError = useFirstError(useRunReader().log(runId), state);
  return (
    <>
      <header className="border-b px-edge-left pt-3 pb-3.5">
        <PanelBar
          back="Back to runs"
          page={{ link: { to: "/runs/$runId", params: { runId } }, label: "Open run" }}
          onClose={onClose}
        >
          <span className="flex items-center gap-2.5 self-center">
            {state !== null && <RunStatePill state={state} isKillRequested={isKillRequested} />}
            {length !== null && (
              <span className="text-muted text-secondary tabular-nums">
                {moves ? "for" : "after"} {formatDuration(length, { fine: !moves && length < 10_000 })}
              </span>
            )}
          </span>
        </PanelBar>
        <h2 className="mt-2 break-words text-heading">{row ? runName(row) : runId}</h2>
        <p className="flex flex-wrap items-center gap-x-2 text-muted text-secondary">
          <Id id={runId} what="run ID" cut={[10, 6]} className="text-default" />
          {createdTs !== null && <ClockTime at={createdTs} />}
        </p>
        {row?.flowId && (
          <div className="mt-2.5 flex gap-2">
            <LinkButton to="/runs/new" search={{ flow: row.flowId, from: runId }} size="small">
              Run again
            </LinkButton>
            {state !== "DONE" && (
              <LinkButton to="/runs/compare" search={{ b: runId }} size="small">
                Compare with a good run
              </LinkButton>
            )}
          </div>
        )}
      </header>
      {row?.error && (
        <Notice kind="failed" title="Run failed">
          <span className="break-words text-mono leading-[18px]">{row.error}</span>
          {firstError !== undefined && (
            <Link
              to="/runs/$runId"
              params={{ runId }}
              search={{ line: firstError }}
              className={cx(linkClass, "mt-1 block w-fit")}
            >
              First error: line {grouped(firstError)}
            </Link>
          )}
        </Notice>
      )}
      {row?.flowId && <LastRuns of={row} flowId={row.flowId} />}
      {inputs.length > 0 && (
        <PanelSection title={<span className="font-normal text-muted">Inputs</span>}>
          <DefinitionList
            isMono
            nameWidth={100}
            rows={inputs.map(([name, value]) => ({ key: name, name, value: valueWord(value) }))}
          />
        </PanelSection>
      )}
      {hasFailed(read) ? (
        <ReadFailure query={read} what="The log" />
      ) : (
        <LogTail runId={runId} startedAt={parseTime(createdTs)} isRead={read.data !== undefined} />
      )}
    </>
  );
}

function LogTail({ runId, startedAt, isRead }: { runId: string; startedAt: number | null; isRead: boolean }) {
  const log = useRunReader().log(runId);
  useLogValue(log, ({ version }) => version);
  const { length } = log;
  const from = Math.max(0, length - tail);
  const time = logTime("start", startedAt, useTimeReader());
  const title = length > tail ? `Log, last ${tail} of ${grouped(length)} lines` : "Log";
  return (
    <section aria-label="End of the log">
      <header className="flex items-baseline justify-between gap-3 px-edge-left py-3">
        <h2 className="text-muted">{title}</h2>
        {length > 0 && (
          <Link
            to="/runs/$runId"
            params={{ runId }}
            search={{ line: length }}
            className={cx(linkClass, "text-secondary")}
          >
            Open at line {grouped(length)}
          </Link>
        )}
      </header>
      <ol className="bg-surface-sunken py-2 text-mono-narrow">
        {length === 0 && <li className="px-edge-left text-faint">{isRead ? "no log yet" : "loading…"}</li>}
        {log.getLines(from, tail).map((raw, at) => {
          const line = readLine(raw);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its place
            <li key={from + at} className={cx("truncate px-edge-left", levels[line.level])}>
              {line.at !== null && <span className="text-faint">{time(line.at).replace(/\d\d$/, "")} </span>}
              {line.node !== null && `${line.node}: `}
              {plainText(line.text.slice(0, 300))}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const levels = { plain: "", warning: "text-state-stopped-fg", error: "text-state-failed-fg" };

const most = 20;

/**
 * The newest runs of a flow, whatever the list is narrowed to: those of the service, else those that this browser knows,
 * among which others may be missing.
 */
function LastRuns({ of, flowId }: { of: Pick<RunRow, "runId" | "error">; flowId: string }) {
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
          {isTold ? `Last ${same.length} runs` : `Last ${same.length} runs in local history`}
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
