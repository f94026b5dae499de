import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useApi } from "../../../lib/api.tsx";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { Failure, ReadFailure } from "../../../lib/failure/Failure.tsx";
import { CopyLink } from "../../../lib/page/CopyLink.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { ClockTime } from "../../../lib/time/ClockTime.tsx";
import { Duration } from "../../../lib/time/Duration.tsx";
import { Id } from "../../../ui/Id.tsx";
import { PageFoot } from "../../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { dottedClass } from "../../../ui/textClass.ts";
import { type RunFacts, useRun } from "../detail/useRun.ts";
import { runQueries } from "../queries.ts";
import { RunStatePill } from "../RunStatePill.tsx";
import type { RunRow } from "../run-row.ts";
import { useRunsOfFlow } from "../runs-of-flow.ts";
import { type CompareSearch, readCompareSearch } from "../search.ts";
import { ChooseRuns, PickRun } from "./ChooseRuns.tsx";
import { Comparison } from "./Comparison.tsx";
import { type GoodRuns, goodRuns } from "./compare.ts";
import { EvenedMark } from "./LogDiff.tsx";

type Change = (part: Partial<CompareSearch>) => void;

/** Two runs beside each other. With only B in the address, A becomes the good run before it that is most like it. */
export function ComparePage({ search }: { search: CompareSearch }) {
  const navigate = useNavigate({ from: "/runs/compare" });
  const change: Change = (part) =>
    void navigate({ search: (old) => readCompareSearch({ ...old, ...part }), replace: true });
  const { a, b } = search;
  if (a !== undefined && b !== undefined) {
    return <TwoRuns key={`${a} ${b}`} a={a} b={b} search={search} onChange={change} />;
  }
  if (b !== undefined) return <ClosestGood b={b} search={search} onChange={change} />;
  return (
    <Frame title="Compare two runs">
      <ChooseRuns
        search={search}
        title="Choose two runs"
        why="“Compare” on a run’s page picks the earlier good run with the most similar inputs. Here you can compare any two runs by ID."
        onCompare={change}
      />
    </Frame>
  );
}

function Frame({ title, ...rest }: { title: string } & Partial<Parameters<typeof Page>[0]>) {
  return (
    <Page
      title={title}
      heading={title}
      parents={[{ key: "runs", link: <Link to="/runs">Runs</Link> }]}
      {...rest}
    >
      {rest.children}
    </Page>
  );
}

/** Looks for the good run before B with the most equal inputs, and puts it into the address. */
function ClosestGood({ b, search, onChange }: { b: string; search: CompareSearch; onChange: Change }) {
  const facts = useRun(b);
  const { runs, isReading } = useRunsOfFlow(facts.flowId);
  // What is known at first may be less than what there is.
  const isRead = facts.run !== undefined && !facts.details.isLoading && !isReading;
  const goodId = isRead ? goodBefore(runs, b, facts).closest?.runId : undefined;
  const chosen = useRef<string>(undefined);
  useEffect(() => {
    // Once: whoever goes to the same address again while the router is on its way there keeps it from arriving.
    if (goodId === undefined || chosen.current === goodId) return;
    chosen.current = goodId;
    onChange({ a: goodId });
  });
  const isOver = isRead && goodId === undefined;
  return (
    <Frame title="Compare two runs">
      {facts.read.isError && !facts.run ? (
        <Failure error={facts.read.error} what="The run" onRetry={() => void facts.read.refetch()} />
      ) : isOver ? (
        <ChooseRuns
          search={search}
          title="No earlier run of this flow succeeded"
          others={runs.filter((run) => run.runId !== b)}
          why={
            facts.flowId === null
              ? "The flow of this run is unknown. Enter the ID of the run to compare it with."
              : "Choose another run of the flow, or enter a run ID."
          }
          onCompare={onChange}
        />
      ) : (
        <SkeletonRows label="Looking for a similar good run" rows={6} columns={["120px", "1fr", "1fr"]} />
      )}
    </Frame>
  );
}

function TwoRuns(props: { a: string; b: string; search: CompareSearch; onChange: Change }) {
  const { a, b, search, onChange } = props;
  const api = useApi();
  const factsA = useRun(a);
  const factsB = useRun(b);
  const { runs } = useRunsOfFlow(factsB.flowId ?? factsA.flowId);
  const swap = () => onChange({ a: b, b: a });
  useShortcuts([{ keys: "x", does: "Swap A and B", run: swap }]);
  const good = goodBefore(runs, b, factsB);
  const others = runs.filter((run) => run.runId !== a && run.runId !== b);
  // The one that still moves says how fresh the page is.
  const watched = isMoving(factsA.run?.state) && !isMoving(factsB.run?.state) ? a : b;
  const failed = [factsA, factsB].find((facts) => facts.read.isError && !facts.run);
  return (
    <Frame
      title={titleOf(factsA, factsB)}
      heading="Compare 2 runs"
      live={runQueries.run(api, watched).queryKey}
      actions={
        <>
          <CopyLink />
          {factsB.flowId !== null && (
            <LinkButton to="/runs/new" search={{ flow: factsB.flowId, from: b }} className="max-sm:hidden">
              Run B again
            </LinkButton>
          )}
        </>
      }
    >
      <div className="grid shrink-0 border-b sm:grid-cols-2">
        <SideHead
          letter="A"
          runId={a}
          facts={factsA}
          remark={
            good.last?.runId === a
              ? "the last good run"
              : good.closest?.runId === a
                ? "the good run with the most similar inputs"
                : null
          }
          pick={
            <PickRun
              label="Change run A"
              runs={others}
              good={good}
              current={a}
              onPick={(runId) => onChange({ a: runId })}
            />
          }
        />
        <SideHead
          letter="B"
          runId={b}
          facts={factsB}
          remark={a === b ? "the same run as A" : null}
          pick={<PickRun label="Change run B" runs={others} onPick={(runId) => onChange({ b: runId })} />}
        />
      </div>
      <Damage damage={[...(factsA.read.data?.damage ?? []), ...(factsB.read.data?.damage ?? [])]} />
      {failed ? (
        <ReadFailure query={failed.read} what={failed === factsA ? "Run A" : "Run B"} />
      ) : (
        <Comparison a={a} b={b} factsA={factsA} factsB={factsB} search={search} onChange={onChange} />
      )}
      <PageFoot
        keys={[
          { keys: ["[", "]"], does: "difference" },
          { keys: ["x"], does: "swap A and B" },
        ]}
      >
        {search.exact ? (
          "Times and IDs are compared too, so most lines differ"
        ) : (
          <>
            Times, durations and ids are shown as <EvenedMark what="time" /> and <EvenedMark what="id" />.
            Click a line number to open the line
          </>
        )}
      </PageFoot>
    </Frame>
  );
}

function goodBefore(runs: readonly RunRow[], runId: string, { run, inputs }: RunFacts): GoodRuns {
  return goodRuns(runs, { runId, createdTs: run?.created_ts ?? null, inputs });
}

function titleOf(a: RunFacts, b: RunFacts): string {
  const name = b.flowName ?? a.flowName ?? b.flowId ?? a.flowId;
  return name === null ? "Compare 2 runs" : `Compare 2 runs · ${name}`;
}

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
function SideHead({ letter, runId, facts, remark, pick }: Props) {
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
          <Id id={runId} what={`ID of run ${letter}`} cut={[10, 6]} className="text-default" />
          {run?.created_ts && (
            <span>
              <ClockTime at={run.created_ts} />,{" "}
              <Duration from={run.created_ts} to={run.finished_ts} isMoving={isMoving(run.state)} />
            </span>
          )}
          {remark !== null && <span>{remark}</span>}
        </p>
      </div>
      {pick}
    </section>
  );
}
