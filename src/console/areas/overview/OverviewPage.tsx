import { Link, useNavigate } from "@tanstack/react-router";
import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import Play from "lucide-react/icons/play";
import { useMemo, useSyncExternalStore } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LiveStatus } from "../../lib/page/LiveStatus.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { isMoving } from "../../lib/run-state.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDay, formatWhen, parseTime } from "../../lib/time/format.ts";
import { buttonClass } from "../../ui/buttonClass.ts";
import { moveKeys, openKey } from "../../ui/KeyHints.tsx";
import { PageFoot } from "../../ui/PageFoot.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { Changed } from "./Changed.tsx";
import { endOf, groupFailures } from "./causes.ts";
import { DayStrip } from "./DayStrip.tsx";
import { Failing } from "./Failing.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { Needs } from "./Needs.tsx";
import { NothingYet } from "./NothingYet.tsx";
import { type Check, Quiet } from "./Quiet.tsx";
import { RunningNow } from "./RunningNow.tsx";
import { type FailedTalk, Talks } from "./Talks.tsx";
import { type Day, useKnownDay, useServiceDay } from "./useDay.ts";
import { useFirstSteps } from "./useFirstSteps.ts";
import { useNeeds } from "./useNeeds.ts";

const day = 86_400_000;
const minute = 60_000;

const toTalk = { to: "/agents", search: { talk: true } } as const;

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
    () => rows.filter((run) => now - (parseTime(run.createdTs) ?? 0) <= day),
    [rows, now],
  );
  const { failed: talks, known } = useTalks(now);
  const needs = useNeeds();
  const count = failures.open.length + talks.length + needs.count;
  const isFirstRead = isService && query?.isPending === true;
  const hasFailed = isService && query?.isError === true && query.data === undefined;
  const isEmpty = !isFirstRead && rows.length === 0 && known === 0 && needs.count === 0;
  const steps = useFirstSteps({ hasRun: isFirstRead || hasFailed || rows.length > 0, known });
  const last = rows.reduce((latest, run) => (isMoving(run.state) ? latest : Math.max(latest, endOf(run))), 0);
  useShortcuts([
    { keys: "n", does: "New conversation", run: () => void navigate(toTalk) },
    { keys: "j", does: "Next item", run: () => stepFocus(1) },
    { keys: "k", does: "Previous item", run: () => stepFocus(-1) },
  ]);

  return (
    <Page
      title={count > 0 ? `${count} ${count === 1 ? "needs" : "need"} you · Overview` : "Overview"}
      heading="Overview"
      live={query && <LiveStatus queryKey={query.queryKey} />}
      actions={
        <>
          <Link {...toTalk} className={buttonClass("plain")} aria-label="New conversation">
            <MessageSquarePlus />
            <span className="max-md:hidden">New conversation</span>
          </Link>
          <Link to="/runs/new" className={buttonClass("plain")} aria-label="Start a run">
            <Play />
            <span className="max-sm:hidden">Start a run</span>
          </Link>
        </>
      }
    >
      {query && !hasFailed && <Stale query={query} />}
      {hasFailed ? (
        <Failure
          error={query.error}
          what="The runs"
          onRetry={() => void query.refetch()}
          isRetrying={query.isRetrying}
        />
      ) : isFirstRead ? (
        <div className="flex min-h-0 flex-1">
          <div className="min-w-0 flex-1">
            <SkeletonRows label="Reading what ran" rows={8} columns={["14px", "2fr", "1fr", "80px"]} />
          </div>
          <div className="w-panel-list shrink-0 border-l max-md:hidden" aria-hidden="true" />
        </div>
      ) : isEmpty ? (
        steps.isShown === null ? null : steps.isShown ? (
          <FirstSteps steps={steps} />
        ) : (
          <NothingYet isService={isService} />
        )
      ) : (
        <div className="flex min-h-0 flex-1 max-md:flex-none max-md:flex-col">
          <div className="min-w-0 flex-1 md:overflow-y-auto">
            {steps.isShown && <FirstSteps steps={steps} />}
            <header className="flex flex-wrap items-baseline gap-x-3 border-b py-4 pr-edge-right pl-edge-left">
              <h2 className="text-title">{headline(count)}</h2>
              <p className="text-muted">
                {formatDay(now, { zone })}.
                {count === 0 && last > 0 && ` The last run ended ${formatWhen(last, { zone, now })}.`}
              </p>
            </header>
            <Failing failures={failures} rows={rows} />
            <Talks talks={talks} />
            <Needs needs={needs} />
            {count === 0 && (
              <Quiet
                hasMended={failures.mended.length > 0}
                checks={checksOf({
                  ended: lately.filter((run) => !isMoving(run.state)).length,
                  of: query?.queryKey ?? null,
                  isService,
                  known,
                })}
              />
            )}
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
        {isFirstRead || hasFailed
          ? null
          : isService
            ? `What your key can see: ${lately.length}${isCut ? "+" : ""} ${lately.length === 1 ? "run" : "runs"} in the last 24 hours`
            : `By the ${rows.length} ${rows.length === 1 ? "run" : "runs"} that this browser knows. This service does not list runs that were started elsewhere`}
      </PageFoot>
    </Page>
  );
}

function headline(count: number): string {
  if (count === 0) return "Nothing needs you";
  return count === 1 ? "1 thing needs you" : `${count} things need you`;
}

function checksOf(facts: { ended: number; of: Check["of"]; isService: boolean; known: number }): Check[] {
  const { ended, of, isService, known } = facts;
  const runs = ended === 1 ? "1 run" : `${ended} runs`;
  const whose = isService ? "" : " that this browser knows";
  return [
    {
      name: "Runs",
      finding:
        ended === 0
          ? `None${whose} ended in the last 24 hours`
          : `${runs}${whose} ended in the last 24 hours, none failed without a later one going through`,
      of,
    },
    {
      name: "Conversations",
      finding:
        known === 0
          ? "None was started in this browser"
          : `${known} known to this browser, no turn failed in the last 24 hours`,
      of: null,
    },
    {
      name: "Waiting",
      finding:
        "No approval waits for you, no server needs a sign-in, no grade of the last day needs attention",
      of: null,
    },
  ];
}

/** The conversations that this browser knows: how many, and those whose last turn failed within a day. */
function useTalks(now: number): { failed: readonly FailedTalk[]; known: number } {
  const { conversations } = useApi();
  const all = useSyncExternalStore(conversations.list.subscribe, conversations.list.get);
  return useMemo(() => {
    const failed = all.flatMap((talk) => {
      const { agentId, interactionId, last } = talk;
      if (agentId === null || interactionId === null || last === null) return [];
      const hasFailed = last.state === "FAILED" || last.state === "failed";
      return hasFailed && now - last.seenAt <= day ? [{ ...talk, agentId, interactionId }] : [];
    });
    // A start that was refused, or whose answer never came, is no conversation.
    return { failed, known: all.filter(({ interactionId }) => interactionId !== null).length };
  }, [all, now]);
}

/** Moves the focus through the rows of work. */
function stepFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-work]")];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1;
  rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by]?.focus();
}
