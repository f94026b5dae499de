import { Link } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { isMoving } from "../../../lib/run-state.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { parseTime } from "../../../lib/time/format.ts";
import { noColumn, useMedia } from "../../../lib/useMedia.ts";
import { PanelSection } from "../../../ui/Panel.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { LogViewer } from "../log/LogViewer.tsx";
import type { LogSource } from "../log/useLogSearch.ts";
import { useLogValue, useRunReader } from "../log/useRunLog.ts";
import { type LineAddress, type RunSearch, type RunTab, readRunSearch, runTabs } from "../search.ts";
import type { RunFields } from "../worker/run-body.ts";
import type { RunLog } from "../worker/run-log.ts";
import { NodesOfRun } from "./NodesOfRun.tsx";
import { NodesTimeline } from "./NodesTimeline.tsx";
import type { NodeIn } from "./node-queries.ts";
import { RunFiles } from "./RunFiles.tsx";
import { Inputs, Outputs, SubRuns } from "./RunSections.tsx";
import type { RunFacts } from "./useRun.ts";
import { useNodeRows, useRunNodes } from "./useRunNodes.ts";

type Props = {
  runId: string;
  facts: RunFacts;
  /** Null until it was read. */
  run: RunFields | null;
  /** The same, a moment later: what stands beside the log does not keep its lines waiting. */
  shown: RunFields | null;
  search: RunSearch;
  /** Rises each time that the line of the address is asked for once more. */
  asked: number;
  /** The first line of an error in the log of a failed run, 1-based. */
  firstError: number | undefined;
  /** A line is asked for by its address. */
  onAsk: (line: LineAddress | undefined) => void;
  /** Puts something into the address; always the same function, or the viewer is drawn again for it. */
  onSearch: (part: Partial<RunSearch>) => void;
};

/** Log and nodes at the left, what went in and came out at the right; tabs where there is no room for both. */
export function RunBody({ facts, shown, ...rest }: Props) {
  const { runId } = rest;
  const { tab = "log" } = rest.search;
  const isNarrow = useMedia(noColumn);
  const { inputs, more, flowId } = facts;
  const state = shown?.state ?? null;
  const moves = shown !== null && isMoving(state);
  const files = shown?.files ?? [];
  // A service that lists them says so also where there are none.
  const tellsFiles = shown === null || shown.files != null;
  const subRuns = more?.sub_runs ?? [];
  const nodes = useRunNodes(runId, rest.run !== null);

  const sections = {
    nodes:
      nodes === null ? <Coming /> : <NodesOfRun runId={runId} nodes={nodes} selected={rest.search.node} />,
    inputs: inputs === null && shown === null ? <Coming /> : <Inputs inputs={inputs} />,
    outputs: shown === null ? <Coming /> : <Outputs outputs={shown.outputs} state={state} />,
    files: <RunFiles runId={runId} run={shown} />,
    "sub-runs": <SubRuns runs={subRuns} canKill={moves} />,
  };
  const titles: Record<RunTab, string> = {
    log: "Log",
    nodes: "Nodes",
    inputs: "Inputs",
    outputs: "Outputs",
    files: "Files",
    "sub-runs": "Sub-runs",
  };
  const counts: Partial<Record<RunTab, number>> = {
    ...(tellsFiles && { files: files.length }),
    "sub-runs": subRuns.length,
    ...((nodes === null || nodes.length === 0) && { nodes: 0 }),
  };
  // While it is read, a tab of the address may still come to have something.
  const tabs = runTabs.filter((one) => counts[one] !== 0 || (shown === null && one === tab));
  const log = <LogOfRun {...rest} nodes={nodes} />;

  if (isNarrow) {
    const current = tabs.includes(tab) ? tab : "log";
    return (
      <>
        <TabBar label="Run views" className="shrink-0 px-edge-left">
          {tabs.map((one) => (
            <Tab key={one} isActive={one === current} count={counts[one]}>
              <Link
                to="/runs/$runId"
                params={{ runId }}
                search={(old) => readRunSearch({ ...old, tab: one === "log" ? undefined : one })}
                replace
              >
                {titles[one]}
              </Link>
            </Tab>
          ))}
        </TabBar>
        {current === "log" ? (
          <div className="flex min-h-[max(320px,60dvh)] flex-1 flex-col sm:min-h-0">{log}</div>
        ) : (
          <section aria-label={titles[current]} className="max-w-text p-edge-left">
            {sections[current]}
          </section>
        )}
      </>
    );
  }
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">{log}</div>
      <aside aria-label="Inputs and outputs" className="w-panel-detail shrink-0 overflow-y-auto border-l">
        {nodes !== null && nodes.length > 0 && <PanelSection title="Flow">{sections.nodes}</PanelSection>}
        <PanelSection
          title="Inputs"
          aside={
            flowId !== null &&
            inputs !== null && (
              <Link to="/runs/new" search={{ flow: flowId, from: runId }} className={linkClass}>
                Run with changes
              </Link>
            )
          }
        >
          {sections.inputs}
        </PanelSection>
        <PanelSection title="Outputs">{sections.outputs}</PanelSection>
        {(files.length > 0 || !tellsFiles) && <PanelSection title="Files">{sections.files}</PanelSection>}
        {subRuns.length > 0 && <PanelSection title="Sub-runs">{sections["sub-runs"]}</PanelSection>}
      </aside>
    </div>
  );
}

/** One element for ever: the viewer is not drawn again for it. */
const reading = <SkeletonRows label="Loading the run" rows={8} columns={["14px", "80px", "120px", "1fr"]} />;

function Coming() {
  return (
    <div className="appear-late py-1.5" aria-hidden="true">
      <div className="my-1.5 h-2 w-40 max-w-full rounded-tag bg-surface-pressed" />
    </div>
  );
}

type LogProps = Omit<Props, "facts" | "shown"> & { nodes: readonly NodeIn[] | null };

function LogOfRun({ runId, run, search, asked, firstError, onAsk, onSearch, nodes }: LogProps) {
  const runs = useRunReader();
  const log = runs.log(runId);
  const source = useMemo<LogSource>(
    () => ({ log, search: (query, onHits, signal) => runs.search(runId, query, onHits, signal) }),
    [runs, runId, log],
  );
  // Where the run has no time of its own, its log has: one number, so that other lines do not draw the viewer again.
  const firstSeen = useLogValue(log, ({ facts }) => facts.timeline.spans[0]?.from ?? null);
  const moves = run !== null && isMoving(run.state);
  const from = parseTime(run?.created_ts) ?? firstSeen;
  const toLine = useCallback((line: LineAddress | undefined) => onSearch({ line }), [onSearch]);
  return (
    <>
      {run !== null && from !== null && (
        <TimelineOfRun
          log={log}
          from={from}
          finishedAt={parseTime(run.finished_ts)}
          isMoving={moves}
          nodes={nodes}
          selected={search.node}
          onRow={(line, node) => {
            if (line !== undefined) onAsk(line);
            onSearch({ ...(line !== undefined && { line }), ...(node !== undefined && { node }) });
          }}
        />
      )}
      <LogViewer
        source={source}
        name={runId}
        startedAt={from}
        isRead={run !== null}
        isMoving={moves}
        line={search.line}
        asked={asked}
        filter={search}
        onFilter={onSearch}
        hasFailed={run?.state === "FAILED"}
        firstError={firstError}
        onLine={toLine}
        empty={run === null ? reading : moves ? "No log yet: the run is queued." : "This run has no log."}
      />
    </>
  );
}

type TimelineProps = {
  log: RunLog;
  /** ms since 1970. */
  from: number;
  finishedAt: number | null;
  isMoving: boolean;
  nodes: readonly NodeIn[] | null;
  selected: string | undefined;
  onRow: (line: number | undefined, node: string | undefined) => void;
};

/** Moves with the clock by itself: the log below it is drawn for lines, not for seconds. */
function TimelineOfRun({ log, from, finishedAt, isMoving: moves, nodes, selected, onRow }: TimelineProps) {
  const { spans, leftOut } = useLogValue(log, ({ facts }) => facts.timeline);
  const now = useNow(moves);
  const lastSeen = spans.reduce((last, span) => Math.max(last, span.to), 0);
  // Lines may be stamped a little after the moment that the page last looked at.
  const to = finishedAt ?? (moves ? Math.max(now, lastSeen) : lastSeen);
  const rows = useNodeRows(nodes, spans);
  if (rows.length === 0) return null;
  return (
    <NodesTimeline
      {...{ rows, selected, from, to, onRow }}
      leftOut={nodes === null ? leftOut : 0}
      isMoving={moves}
    />
  );
}
