import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { partingRow } from "../../../lib/diff/items.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { noColumn, useMedia } from "../../../lib/useMedia.ts";
import { StateShape } from "../../../ui/State.tsx";
import { Tab, TabBar } from "../../../ui/Tabs.tsx";
import type { RunFacts } from "../detail/useRun.ts";
import { readLine } from "../log/line.ts";
import { useLogValue, useRunReader } from "../log/useRunLog.ts";
import type { CompareSearch } from "../search.ts";
import type { RunLog } from "../worker/run-log.ts";
import { pairValues, type ValueRow, verdictOf } from "./compare.ts";
import { type ComparedRun, LogDiff } from "./LogDiff.tsx";
import { NodesDiff } from "./NodesDiff.tsx";
import { useComparison } from "./useComparison.ts";
import { ValuesDiff } from "./ValuesDiff.tsx";

type Props = {
  a: string;
  b: string;
  factsA: RunFacts;
  factsB: RunFacts;
  search: CompareSearch;
  onChange: (part: Partial<CompareSearch>) => void;
};

/** Where two runs part, in one sentence, then the proof. */
export function Comparison({ a, b, factsA, factsB, search, onChange }: Props) {
  const runs = useRunReader();
  const isNarrow = useMedia(noColumn);
  const even = search.exact !== true;
  const sideA = useMemo<ComparedRun>(() => ({ runId: a, log: runs.log(a) }), [runs, a]);
  const sideB = useMemo<ComparedRun>(() => ({ runId: b, log: runs.log(b) }), [runs, b]);
  const ids = useMemo(() => [a, b], [a, b]);
  const isReady = factsA.run !== undefined && factsB.run !== undefined;
  const { comparison, hasFailed } = useComparison(sideA.log, sideB.log, { isReady, even, ids });
  const nodesA = useLogValue(sideA.log, spansOf);
  const nodesB = useLogValue(sideB.log, spansOf);

  const inputs = useMemo(
    () => (factsA.inputs && factsB.inputs ? pairValues(factsA.inputs, factsB.inputs) : null),
    [factsA.inputs, factsB.inputs],
  );
  const outputs = useMemo(
    () => pairValues(factsA.run?.outputs ?? {}, factsB.run?.outputs ?? {}),
    [factsA.run, factsB.run],
  );
  const nodeAt = (row: number) => {
    const line = (side: ComparedRun, at: number) =>
      at === -1 ? null : readLine(side.log.getLines(at, 1)[0] ?? "").node;
    if (!comparison) return null;
    return line(sideB, comparison.rows[row * 2 + 1] ?? -1) ?? line(sideA, comparison.rows[row * 2] ?? -1);
  };
  const verdict = comparison && verdictOf(comparison, inputs, nodeAt);
  const parts = comparison !== null && partingRow(comparison) !== -1;

  const values = (
    <>
      <ValuesDiff title="Inputs" remark={inputsRemark(factsA, factsB, inputs)} rows={inputs ?? []} />
      <ValuesDiff title="Outputs" remark={outputsRemark(factsA, factsB, outputs)} rows={outputs} />
      <NodesDiff a={nodesA} b={nodesB} />
    </>
  );
  const log = (
    <LogDiff
      key={`${a} ${b}`}
      a={sideA}
      b={sideB}
      comparison={comparison}
      hasFailed={hasFailed}
      even={even}
      showsAll={search.show === "all"}
      onEven={(on) => onChange({ exact: on ? undefined : true })}
      onShowAll={(all) => onChange({ show: all ? "all" : undefined })}
    />
  );
  return (
    <>
      <p
        className="flex min-h-11 shrink-0 items-start gap-2.5 border-b py-3 pr-edge-right pl-edge-left"
        aria-live="polite"
      >
        {verdict ? (
          <>
            <StateShape tone={parts ? "failed" : "done"} className="mt-[3px]" />
            <span>
              <strong className="font-semibold">{verdict.headline}</strong>{" "}
              <span className="text-muted">{verdict.proof}</span>
            </span>
          </>
        ) : (
          <span className="text-muted">
            {hasFailed ? "The logs could not be compared." : "Loading both runs…"}
          </span>
        )}
      </p>
      {isNarrow ? (
        <>
          <TabBar label="Comparison views" className="shrink-0 px-edge-left">
            <Tab isActive={search.tab !== "log"}>
              <Link to="/runs/compare" search={{ ...search, tab: undefined }} replace>
                Values and nodes
              </Link>
            </Tab>
            <Tab isActive={search.tab === "log"}>
              <Link to="/runs/compare" search={{ ...search, tab: "log" }} replace>
                Log
              </Link>
            </Tab>
          </TabBar>
          {search.tab === "log" ? (
            <div className="flex min-h-[max(320px,60dvh)] flex-1 flex-col">{log}</div>
          ) : (
            <div>{values}</div>
          )}
        </>
      ) : (
        <div className="flex min-h-0 flex-1">
          <div className="w-[392px] shrink-0 overflow-y-auto border-r">{values}</div>
          {log}
        </div>
      )}
    </>
  );
}

const spansOf = ({ facts }: RunLog) => facts.timeline.spans;

function inputsRemark(a: RunFacts, b: RunFacts, rows: readonly ValueRow[] | null): string {
  if (rows === null) {
    if (a.details.isLoading || b.details.isLoading) return "loading…";
    const missing = a.inputs === null ? (b.inputs === null ? "either run" : "A") : "B";
    return `unknown for ${missing}: this service does not report them`;
  }
  if (rows.length === 0) return "none";
  const differ = rows.filter((row) => !row.isSame).length;
  if (differ === 0) return `equal, ${rows.length === 1 ? "1 value" : `${rows.length} values`}`;
  return `${differ} of ${rows.length} ${differ === 1 ? "differs" : "differ"}`;
}

function outputsRemark(a: RunFacts, b: RunFacts, rows: readonly ValueRow[]): string {
  const open = [
    ["A", a],
    ["B", b],
  ].flatMap(([letter, facts]) => {
    const run = typeof facts === "object" ? facts.run : undefined;
    if (!run || run.state === "DONE") return [];
    return [`${letter} has none${isMoving(run.state) ? " yet" : ": it did not finish"}`];
  });
  if (open.length > 0) return open.join("; ");
  if (rows.length === 0) return "none";
  const differ = rows.filter((row) => !row.isSame).length;
  return differ === 0 ? "equal" : `${differ} of ${rows.length} ${differ === 1 ? "differs" : "differ"}`;
}
