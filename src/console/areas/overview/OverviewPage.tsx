import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import Play from "lucide-react/icons/play";
import { useMemo } from "react";
import { listRuns } from "../../../contract/runs.ts";
import { runStates } from "../../../contract/states.ts";
import { teamScope } from "../../api/connection.ts";
import { slow } from "../../api/poll.ts";
import { readOptions } from "../../api/read.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { useFocusKeys } from "../../lib/list/useFocusKeys.ts";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { hasFailed, type Read, useRead } from "../../lib/paging/useRead.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { isMoving } from "../../lib/run-state.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { parseTime } from "../../lib/time/format.ts";
import { formatDay } from "../../lib/time/format-day.ts";
import { formatWhen } from "../../lib/time/format-time.ts";
import { useStore } from "../../lib/useStore.ts";
import { counted } from "../../lib/words.ts";
import { moveKeys, openKey } from "../../ui/Kbd.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { type RunRow, rowOfService, runQueries, useKnownRows } from "../runs/index.ts";
import { AllClear, NothingYet } from "./AllClear.tsx";
import { dayMs, endOf, groupFailures, startOf, unmendedOf } from "./causes.ts";
import { Failing } from "./Failing.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { Changed, DayStrip, RunningNow } from "./LastDay.tsx";
import { type FailedConversation, FailedConversations, Needs, useNeeds } from "./Needs.tsx";
import { useFirstSteps } from "./useFirstSteps.ts";

const minute = 60_000;

const toNewConversation = { to: "/agents", search: { conversation: true } } as const;

/** What needs this person, what runs and what changed: by the service's lists, else by what this browser knows. */
export function OverviewPage() {
  return useCan("runs") ? <OfService /> : <OfBrowser />;
}

function OfService() {
  const now = useNow(true, minute);
  return <Overview day={useServiceDay(now)} now={now} />;
}

function OfBrowser() {
  return <Overview day={useKnownDay()} now={useNow(true, minute)} />;
}

function Overview({ day: { rows, isService, isCut, query }, now }: { day: Day; now: number }) {
  const { zone } = usePreferences();
  const navigate = useNavigate();
  const failures = useMemo(() => groupFailures(rows, now), [rows, now]);
  const lately = useMemo(
    () => rows.filter((run) => now - (parseTime(run.createdTs) ?? 0) <= dayMs),
    [rows, now],
  );
  const { failed: conversations, known } = useKnownConversations(now);
  const needs = useNeeds();
  const count = failures.open.length + conversations.length + needs.count;
  const isFirstRead = query?.isPending === true;
  const failed = query !== null && hasFailed(query) ? query : null;
  const isEmpty = !isFirstRead && rows.length === 0 && known === 0 && needs.count === 0;
  const steps = useFirstSteps({ hasRun: isFirstRead || failed !== null || rows.length > 0, known });
  // Whoever comes for what failed, to a browser that knows nothing yet, sees that before any lesson.
  const stepsAt = steps.isShown && (failures.open.length + conversations.length > 0 ? "last" : "first");
  const last = rows.reduce((latest, run) => (isMoving(run.state) ? latest : Math.max(latest, endOf(run))), 0);
  useFocusKeys("item", [
    { keys: "n", does: "New conversation", run: () => void navigate(toNewConversation) },
  ]);

  return (
    <Page
      title={count > 0 ? `${counted(count, "needs", "need")} you · Overview` : "Overview"}
      heading="Overview"
      live={query?.queryKey}
      actions={
        <>
          <LinkButton {...toNewConversation}>
            <MessageSquarePlus />
            <span>New conversation</span>
          </LinkButton>
          <LinkButton to="/runs/new">
            <Play />
            <span>Start a run</span>
          </LinkButton>
        </>
      }
    >
      {query && !failed && <Stale query={query} />}
      {failed ? (
        <ReadFailure query={failed} what="The runs" />
      ) : isFirstRead ? (
        <div className="flex min-h-0 flex-1">
          <div className="min-w-0 flex-1">
            <SkeletonRows label="Loading runs" rows={8} columns={["14px", "2fr", "1fr", "80px"]} />
          </div>
          <div className="w-panel-list shrink-0 border-l max-md:hidden" aria-hidden="true" />
        </div>
      ) : isEmpty ? (
        steps.isShown === null ? null : steps.isShown ? (
          <FirstSteps steps={steps} />
        ) : (
          <NothingYet isService={isService} hasNoAgent={steps.hasNoAgent} />
        )
      ) : (
        <div className="flex min-h-0 flex-1 max-md:flex-none max-md:flex-col">
          <div className="min-w-0 flex-1 md:overflow-y-auto">
            {stepsAt === "first" && <FirstSteps steps={steps} />}
            <header className="flex flex-wrap items-baseline gap-x-3 border-b py-4 pr-edge-right pl-edge-left">
              <h2 className="text-title">{headline(count)}</h2>
              <p className="text-muted">
                {formatDay(now, { zone })}
                {count === 0 && last > 0 && `. The last run ended ${formatWhen(last, { zone, now })}.`}
              </p>
            </header>
            <Failing failures={failures} rows={rows} />
            <FailedConversations conversations={conversations} />
            <Needs needs={needs} />
            {count === 0 && (
              <AllClear
                hasMended={failures.mended.length > 0}
                ended={lately.filter((run) => !isMoving(run.state)).length}
                of={query?.queryKey ?? null}
                isService={isService}
                known={known}
              />
            )}
            {stepsAt === "last" && <FirstSteps steps={steps} />}
          </div>
          <aside
            aria-label="Now and in the last 24 hours"
            className="w-panel-list shrink-0 border-l max-md:w-full max-md:border-t max-md:border-l-0 md:overflow-y-auto"
          >
            <RunningNow rows={rows} />
            <DayStrip rows={lately} now={now} isCut={isCut} />
            <Changed rows={rows} now={now} />
          </aside>
        </div>
      )}
      <PageFoot keys={[moveKeys, openKey]}>
        {isFirstRead || failed
          ? null
          : isService
            ? `${lately.length}${isCut ? "+" : ""} ${lately.length === 1 ? "run" : "runs"} in the last 24 hours`
            : `Based on ${counted(rows.length, "run")} in local history. This service does not list runs started elsewhere`}
      </PageFoot>
    </Page>
  );
}

function headline(count: number): string {
  return count === 0 ? "Nothing needs you" : counted(count, "thing needs you", "things need you");
}

/** The conversations that this browser knows: how many, and those whose last turn failed within a day. */
function useKnownConversations(now: number): { failed: readonly FailedConversation[]; known: number } {
  const all = useStore(useApi().conversations.list);
  return useMemo(() => {
    const failed = all.flatMap((one) => {
      const { agentId, interactionId, last } = one;
      if (agentId === null || interactionId === null || last === null) return [];
      const hasFailed = last.state === "FAILED" || last.state === "failed";
      // When it was read says nothing: one that failed long ago may have been opened just now.
      const at = one.asked?.at ?? parseTime(last.createdTs) ?? last.seenAt;
      return hasFailed && now - at <= dayMs ? [{ ...one, agentId, interactionId, at }] : [];
    });
    // A start that was refused, or whose answer never came, is no conversation.
    return { failed, known: all.filter(({ interactionId }) => interactionId !== null).length };
  }, [all, now]);
}

/** The runs that the overview is about, wherever they are known from. */
interface Day {
  /** Newest first; older ones than a day may be among them. */
  readonly rows: readonly RunRow[];
  /** The service lists its runs; otherwise these are what this browser knows. */
  readonly isService: boolean;
  /** Not every run of the last day could be listed. */
  readonly isCut: boolean;
  /** The query that says how fresh it is; null where nothing is asked by itself. */
  readonly query: Read<unknown> | null;
}

const step = 300_000;
/** So many flows are asked whether they went through since they failed, each by a request. */
const mostUnmended = 40;
const runningStates = Object.keys(runStates)
  .filter((state) => isMoving(state))
  .join(",");

/** The newest runs of the service: the same question as the runs list asks. A longer day is asked for what matters. */
export function useServiceDay(now: number): Day {
  const api = useApi();
  const newest = useRead(runQueries.list(api));
  const isLong = Boolean(newest.data?.data.next_cursor);
  // In steps of five minutes, so that a poll asks the same question as the one before it.
  const after = new Date(Math.floor(now / step) * step - dayMs).toISOString();
  const failed = useRead({
    ...runQueries.list(api, { state: "FAILED", created_after: after }),
    enabled: isLong,
  });
  const running = useRead({ ...runQueries.list(api, { state: runningStates }), enabled: isLong });
  const found = useMemo(
    () => rowsOf([newest.data, failed.data, running.data]),
    [newest.data, failed.data, running.data],
  );
  const last = newest.data?.data.runs?.at(-1);
  const lastStart = parseTime(last?.created_ts) ?? 0;
  // What mended a failure may be older than the newest page.
  const unmended = isLong ? unmendedOf(found).filter((run) => startOf(run) < lastStart) : [];
  const mending = useQueries({
    queries: unmended
      .slice(0, mostUnmended)
      .map(({ flowId, createdTs }) =>
        readOptions(api, listRuns, { query: { ...mendingOf(flowId, createdTs), ...teamScope(api) } }, seldom),
      ),
    combine: (reads) => reads.flatMap(({ data }) => data ?? []),
  });
  const rows = useMemo(
    () => (mending.length === 0 ? found : rowsOf([newest.data, failed.data, running.data, ...mending])),
    [found, newest.data, failed.data, running.data, mending],
  );
  return {
    rows,
    isService: true,
    isCut: isLong && lastStart > now - dayMs,
    query: newest,
  };
}

const seldom = { policy: slow };

/** The newest run of a flow that was done since one failed: one is enough. */
const mendingOf = (flowId: string | null, failedTs: string | null) => ({
  ...{ state: "DONE", page_size: 1 },
  ...(flowId !== null && { saved_item_id: flowId }),
  ...(failedTs !== null && { created_after: failedTs }),
});

type ListRead = {
  readonly data: { readonly runs?: readonly Parameters<typeof rowOfService>[0][] | null | undefined };
};

/** The runs of several lists, each once, newest first. */
function rowsOf(reads: readonly (ListRead | undefined)[]): readonly RunRow[] {
  const found = new Map<string, RunRow>();
  for (const read of reads) {
    for (const run of read?.data.runs ?? []) {
      const row = rowOfService(run);
      if (row && !found.has(row.runId)) found.set(row.runId, row);
    }
  }
  return [...found.values()].sort((a, b) => startOf(b) - startOf(a));
}

/** The same from what this browser knows. */
function useKnownDay(): Day {
  const { rows, query } = useKnownRows();
  return { rows, isService: false, isCut: false, query };
}
