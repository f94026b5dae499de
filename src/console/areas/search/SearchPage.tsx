import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useSyncExternalStore } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { buttonClass } from "../../ui/buttonClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { moveKeys, openKey } from "../../ui/KeyHints.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageFoot } from "../../ui/PageFoot.tsx";
import { Spinner } from "../../ui/Spinner.tsx";
import { ArtifactHits } from "./ArtifactHits.tsx";
import { ResultGroup } from "./ResultGroup.tsx";
import { SearchTools } from "./SearchTools.tsx";
import { type EverywhereSearch, kindsOf, readEverywhereSearch } from "./search.ts";
import { inside } from "./targets.ts";
import { Unread } from "./Unread.tsx";
import { useSearchRun } from "./useSearchRun.ts";
import { newestFirst, type Targets, useRunTargets, useTalkTargets } from "./useTargets.ts";
import { progressOf, reachWords, scopeWords } from "./words.ts";

/** Looked through at first, and by each further step. */
const runsAtOnce = 50;
const talksAtOnce = 20;

/** Search across inputs, outputs, logs, messages and artifact names; each result leads to the very place. */
export function SearchPage({ search }: { search: EverywhereSearch }) {
  const navigate = useNavigate({ from: "/search" });
  const text = (search.q ?? "").trim();
  const regex = search.as === "pattern";
  const isNoPattern = regex && !isPattern(text);
  const kinds = useMemo(() => kindsOf({ in: search.in }), [search.in]);
  const steps = 1 + (search.more ?? 0);
  const isAsked = text !== "" && !isNoPattern;
  const wants = (kind: keyof typeof inside) =>
    isAsked && kinds.some((one) => inside[kind].includes(one) || (kind === "run" && one === "inputs"));
  const runs = useRunTargets(runsAtOnce * steps, wants("run"));
  const talks = useTalkTargets(talksAtOnce * steps, wants("conversation"));
  const targets = useMemo(() => newestFirst([...runs.list, ...talks.list]), [runs.list, talks.list]);
  const { run, state } = useSearchRun({ text: isAsked ? text : "", regex, kinds, targets });
  const isListing = runs.isReading || talks.isReading || run === null || state.looked.length < targets.length;
  const progress = progressOf(state, isListing);

  const change = (part: EverywhereSearch) =>
    void navigate({ search: (old) => readEverywhereSearch({ ...old, ...part }), replace: true });
  useShortcuts([
    { keys: "j", does: "Next result", run: () => step(1) },
    { keys: "k", does: "Previous result", run: () => step(-1) },
  ]);

  const groups = state.looked.filter(({ hits }) => hits.length > 0);
  const artifacts = state.artifacts?.found;
  const hasArtifacts = artifacts != null && artifacts.rows.length > 0;
  const hasMore = runs.hasMore || talks.hasMore;
  const isUnread =
    progress.failed > 0 || runs.error != null || talks.error != null || state.artifacts?.status === "failed";
  const wasLooked = progress.done > 0 || state.artifacts?.status === "done";
  const isNothing =
    (wasLooked || !isUnread) && progress.isOver && state.end === null && groups.length === 0 && !hasArtifacts;
  const scope = scopeWords(reachWords(runs, "run"), reachWords(talks, "conversation"), state.artifacts);
  const searchMore = () => change({ more: (search.more ?? 0) + 1 });
  const moreLabel = `Search ${runs.hasMore ? runsAtOnce : talksAtOnce} more`;
  return (
    <Page title={text === "" ? "Search" : `“${text.slice(0, 60)}” · Search`} heading="Search">
      <SearchTools search={search} isNoPattern={isNoPattern} onChange={change} onLeave={() => step(1)} />
      {isNoPattern && (
        <Notice
          kind="failed"
          title="This is no regular expression"
          action={
            <Button size="small" onClick={() => change({ as: undefined })}>
              Search it as a text
            </Button>
          }
        >
          {patternProblem(text)}
        </Notice>
      )}
      {!isAsked && !isNoPattern && <NoQuery />}
      {isAsked && (
        <>
          <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 py-1.5 pr-edge-right pl-edge-left text-muted text-secondary">
            {!progress.isOver && <Spinner />}
            <p className="min-w-0 tabular-nums max-sm:flex-1">
              <span className="font-medium text-default">{counted(progress.places, "place")}</span>
              {progress.isOver ? " found" : " found so far"} · {sentenceOf(progress, scope)}
            </p>
            <HoldWords isOver={progress.isOver} />
            <span className="ml-auto flex gap-1.5">
              {!progress.isOver && (
                <Button size="small" onClick={() => run?.stop()}>
                  Stop
                </Button>
              )}
              {state.end === "stopped" && (
                <Button size="small" onClick={() => run?.goOn()}>
                  Go on
                </Button>
              )}
            </span>
          </div>
          <span role="status" className="sr-only">
            {progress.isOver && `The search has ended: ${counted(progress.places, "place")} found.`}
          </span>
          {state.end === "too slow" && (
            <Notice kind="waits" title="The pattern took too long and was ended">
              It never came to an end in one of the texts. What was found before is shown; a simpler pattern
              can look through everything.
            </Notice>
          )}
          <Unread
            state={state}
            runs={runs}
            talks={talks}
            onRetry={() => {
              if (runs.error !== null) runs.retry();
              if (talks.error !== null) talks.retry();
              run?.retry();
            }}
          />
          <div className="border-t">
            {groups.map((looked) => (
              <ResultGroup key={looked.target.key} looked={looked} text={regex ? undefined : text} />
            ))}
            {hasArtifacts && <ArtifactHits found={artifacts} />}
          </div>
          {isNothing && (
            <Nothing
              text={text}
              words={
                isUnread
                  ? "What could be read was looked through."
                  : scope === ""
                    ? "There is nothing to look through yet. Runs and conversations that you start or open appear here."
                    : `Looked through ${scope}.`
              }
            >
              {hasMore && <Button onClick={searchMore}>{moreLabel}</Button>}
            </Nothing>
          )}
          {hasMore && progress.isOver && !isNothing && (
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-3 pr-edge-right pl-edge-left text-muted">
              {olderWords(runs, talks)}
              <Button size="small" onClick={searchMore}>
                {moreLabel}
              </Button>
            </p>
          )}
          <PageFoot keys={[moveKeys, openKey]}>
            {progress.isOver ? footWords(hasMore, talks, isUnread) : "The newest are looked through first"}
          </PageFoot>
        </>
      )}
    </Page>
  );
}

function sentenceOf(
  { of, done, failed, lines, isOver }: ReturnType<typeof progressOf>,
  scope: string,
): string {
  const read = lines === 0 ? "" : `, ${counted(lines, "line")} of logs`;
  if (of === 0 && scope === "") return isOver ? "nothing could be looked through" : "listing what there is";
  if (of === 0) return `looked through ${scope}`;
  const isWhole = done === of;
  if (isOver && isWhole) return `looked through ${scope}${read}`;
  const parts = `${done.toLocaleString("en-GB")} of ${of.toLocaleString("en-GB")}`;
  if (isOver) return `looked through ${parts}${read}${failed > 0 ? `, ${failed} could not be read` : ""}`;
  return `looking through ${scope}: ${parts} so far${read}`;
}

function olderWords(runs: Targets, talks: Targets): string {
  const older = [runs.hasMore ? "runs" : null, talks.hasMore ? "conversations" : null].filter(Boolean);
  return `Older ${older.join(" and ")} were not looked through.`;
}

/** What was left out. */
function footWords(hasMore: boolean, talks: Targets, isUnread: boolean): string {
  if (isUnread) return "What could not be read was left out";
  return talks.limit ?? (hasMore ? "What is older was left out" : "Nothing known is left out");
}

/** Why it goes slowly, where the service asked for it. */
function HoldWords({ isOver }: { isOver: boolean }) {
  const { traffic } = useApi();
  const hold = useSyncExternalStore(traffic.hold.subscribe, traffic.hold.get);
  if (isOver || hold === null) return null;
  return (
    <span className="text-state-stopped-fg">
      {hold.reason === "asked"
        ? "The service asked to wait."
        : "Many requests fail: it is tried more rarely."}
    </span>
  );
}

function NoQuery() {
  return (
    <EmptyState title="Search everywhere">
      Inputs, outputs and log lines of runs, messages and tool calls of conversations, and names of artifacts.
      Results lead to the very line or message. What has ended is read once: another search asks nothing
      again.
    </EmptyState>
  );
}

function Nothing({ text, words, children }: { text: string; words: string; children: ReactNode }) {
  return (
    <EmptyState
      title={<>Nothing has “{text.slice(0, 80)}”</>}
      actions={
        <>
          {children}
          <Link to="/runs" className={buttonClass("plain")}>
            All runs
          </Link>
        </>
      }
    >
      {words}
    </EmptyState>
  );
}

/** Puts the focus on the next result, or on the one before. */
function step(by: 1 | -1): void {
  const hits = [...document.querySelectorAll<HTMLElement>("a[data-hit]")];
  const at = hits.indexOf(document.activeElement as HTMLElement);
  const next = hits[at === -1 ? (by === 1 ? 0 : hits.length - 1) : at + by];
  next?.focus();
}

function isPattern(text: string): boolean {
  return patternProblem(text) === null;
}

/** What the browser says of a pattern that is none; null where it is one. */
function patternProblem(text: string): string | null {
  try {
    new RegExp(text);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.message}.` : "It cannot be read.";
  }
}
