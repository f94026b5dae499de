import { useNavigate } from "@tanstack/react-router";
import TableIcon from "lucide-react/icons/table";
import { type ComponentProps, useState } from "react";
import { useCan } from "../../../lib/api.tsx";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { Failure, ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { useFocusKept } from "../../../lib/page/useFocusKept.ts";
import { hasFailed } from "../../../lib/paging/useRead.ts";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { useMissingRights } from "../../../lib/rights/rights.ts";
import { isoDay } from "../../../lib/time/format-day.ts";
import { counted } from "../../../lib/words.ts";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { later } from "../../../ui/later.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { AgentFrame } from "../../agents/index.ts";
import { PeriodPicker } from "../PeriodPicker.tsx";
import { type EvaluationsSearch, longestPeriod, readEvaluationsSearch, usualPeriod } from "../search.ts";
import { Criteria } from "./Criteria.tsx";
import { DayChart, DayTable, perDay, shortDay } from "./DayChart.tsx";
import { Grades, GradesByRubric, Tags } from "./Grades.tsx";
import { HowEvaluated } from "./HowEvaluated.tsx";
import { ResultPanel } from "./ResultPanel.tsx";
import { Results } from "./Results.tsx";
import { RunDialog } from "./RunDialog.tsx";
import { filterResults } from "./results.ts";
import { type EvaluationsRead, useEvaluations } from "./useEvaluations.ts";

const ConfigPage = later(() => import("./ConfigPage.tsx"));

type Props = { agentId: string; search: EvaluationsSearch };

/** How the agent's conversations were graded: shares against the days before, and the results behind each number. */
export function EvaluationsPage({ agentId, search }: Props) {
  const days = search.days ?? usualPeriod;
  const read = useEvaluations(agentId, days);
  useFocusKept(search.view === "criteria" ? "criteria" : "report");
  return (
    <AgentFrame agentId={agentId} active="evaluations" part="evaluations" liveKey={read.query.queryKey}>
      {({ team_id: teamId }) =>
        search.view === "criteria" ? (
          <LazyPart>
            <ConfigPage agentId={agentId} teamId={teamId} />
          </LazyPart>
        ) : (
          <Report teamId={teamId} agentId={agentId} search={search} days={days} read={read} />
        )
      }
    </AgentFrame>
  );
}

type ReportProps = Props & { days: number; read: EvaluationsRead; teamId: string | null | undefined };

type Change = (part: Partial<Record<keyof EvaluationsSearch, string | number | undefined>>) => void;

function Report({ agentId, search, days, read, teamId }: ReportProps) {
  const navigate = useNavigate();
  const { zone } = usePreferences();
  const missing = useMissingRights(teamId != null);
  const canEdit = useCan("evaluation_config_edit") && missing(teamId, "edit") === undefined;
  const [isRunning, setRunning] = useState(false);
  const change: Change = (part) =>
    void navigate({
      to: "/agents/$agentId/evaluations",
      params: { agentId },
      search: readEvaluationsSearch({ ...search, ...part }),
      replace: true,
    });
  useShortcuts([
    { keys: "Escape", does: "Close result", run: () => change({ result: undefined }) },
    {
      keys: "t",
      does: "Show as table",
      run: () => change({ view: search.view === "table" ? undefined : "table" }),
    },
  ]);
  const { query } = read;
  const { tags, before, total } = read.graded;
  // They count also for whoever may not read them.
  const isUnread = read.results?.length === 0 && total > 0;
  const opens = read.results !== null;
  const shown = filterResults(read.results ?? [], search, zone);
  const common = { agentId, search, opens };
  const isTable = search.view === "table";
  return (
    <>
      <ReportTools
        {...{ agentId, teamId, days, read, isTable, canEdit, change }}
        onRun={() => setRunning(true)}
      />
      {query.isPending ? (
        <SkeletonRows label="Loading evaluations" rows={6} columns={["1fr", "2fr"]} />
      ) : hasFailed(query) ? (
        <ReadFailure query={query} what="The evaluations" />
      ) : (
        <>
          <Stale query={query} />
          <Damage damage={read.damage} />
          <HowEvaluated agentId={agentId} canEdit={canEdit} isEmpty={read.graded.total === 0} />
          <div className="flex border-b max-md:flex-col">
            <div className="w-[404px] shrink-0 border-r px-edge-left py-4 max-lg:w-[360px] max-md:w-full max-md:border-r-0">
              <Grades graded={read.graded} {...common} />
              <GradesByRubric rubrics={read.graded.rubrics} {...common} />
            </div>
            <Trend read={read} isTable={isTable} isUnread={isUnread} {...common} />
          </div>
          <div className="flex flex-1 max-md:flex-col">
            <div className="min-w-0 flex-1 max-md:border-b">
              {read.resultsError !== null && (
                <Failure error={read.resultsError} what="The results" onRetry={() => void query.refetch()} />
              )}
              {read.criteria.length > 0 && (
                <Criteria criteria={read.criteria} agentId={agentId} search={search} />
              )}
              {read.results === null ? (
                <p className="p-5 text-muted">
                  {read.isReadingResults
                    ? "loading results…"
                    : "This service reports grades and tags, but not the individual results."}
                </p>
              ) : (
                <Results
                  results={shown}
                  criteria={read.criteria}
                  agentId={agentId}
                  search={search}
                  isCut={read.isCut}
                  isUnread={isUnread}
                  onOpen={(result) => change({ result })}
                />
              )}
            </div>
            {tags.size + (before?.tags.size ?? 0) + read.dataPoints.length > 0 && (
              <aside
                aria-label="Tags and data"
                className="w-panel-list shrink-0 border-l max-md:w-full max-md:border-l-0"
              >
                <Tags graded={read.graded} dataPoints={read.dataPoints} {...common} />
              </aside>
            )}
          </div>
        </>
      )}
      {isRunning && <RunDialog agentId={agentId} onClose={() => setRunning(false)} />}
      <Dialog
        isOpen={search.result !== undefined}
        onClose={() => change({ result: undefined })}
        title="Evaluation"
      >
        {search.result !== undefined && (
          <ResultPanel
            key={search.result}
            agentId={agentId}
            id={search.result}
            known={read.results?.find((one) => one.evaluation_id === search.result)}
          />
        )}
      </Dialog>
    </>
  );
}

type ToolsProps = Omit<ReportProps, "search"> & {
  isTable: boolean;
  canEdit: boolean;
  change: Change;
  onRun: () => void;
};

/** Of which days the report is, and what can be done with it. */
function ReportTools({ agentId, teamId, days, read, isTable, canEdit, change, onRun }: ToolsProps) {
  const { zone } = usePreferences();
  const missing = useMissingRights(teamId != null);
  const canSessions = useCan("sessions");
  const canRun = useCan("evaluation_runs") && canSessions;
  const [from, to] = [isoDay(read.period.from, zone), isoDay(read.period.to, zone)];
  return (
    <div className="flex min-h-filters shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b py-2 pr-edge-right pl-edge-left">
      <PeriodPicker
        days={days}
        onChange={(value) => change({ days: value, day: undefined, result: undefined })}
      />
      <span className="text-muted text-secondary">
        {shortDay(from, to)} to {shortDay(to, from)}
        {read.graded.before !== null || days * 2 <= longestPeriod
          ? `, compared with the previous ${counted(days, "day")}`
          : `; no data older than ${longestPeriod} days`}
      </span>
      <span className="ml-auto flex items-center gap-2 max-sm:ml-0">
        {canRun && (
          <Button size="small" disabledReason={missing(teamId, "operate")} reasonAs="title" onClick={onRun}>
            Evaluate conversations…
          </Button>
        )}
        <LinkButton
          to="/agents/$agentId/evaluations"
          params={{ agentId }}
          search={{ view: "criteria" }}
          size="small"
        >
          {canEdit ? "Edit criteria" : "Criteria"}
        </LinkButton>
        <IconButton
          size="small"
          label={isTable ? "Show as chart" : "Show as table"}
          shortcut="t"
          aria-pressed={isTable}
          onClick={() => change({ view: isTable ? undefined : "table" })}
        >
          <TableIcon />
        </IconButton>
      </span>
    </div>
  );
}

type TrendProps = Omit<ComponentProps<typeof DayChart>, "days" | "noun"> &
  Pick<ReportProps, "read"> & { isTable: boolean; isUnread: boolean };

/** How many there were on each day. */
function Trend({ read, isTable, isUnread, ...chart }: TrendProps) {
  return (
    <section aria-label="Trend" className="min-w-0 flex-1 px-edge-left py-4">
      <h3 className="font-semibold">{perDay(read.trendNoun)}</h3>
      <p className="mb-3 text-muted text-secondary">
        {read.isDerived
          ? "By day of evaluation, calculated from the service’s totals."
          : "By day of evaluation. A conversation counts once a day, by its worst grade."}
        {isUnread && " Only conversations you can read."}
      </p>
      {isTable ? (
        <DayTable days={read.trend} noun={read.trendNoun} />
      ) : (
        <DayChart days={read.trend} noun={read.trendNoun} {...chart} />
      )}
    </section>
  );
}
