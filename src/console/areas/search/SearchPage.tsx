import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { stepFocus, useFocusKeys } from "../../lib/list/useFocusKeys.ts";
import { Page } from "../../lib/page/Page.tsx";
import { counted } from "../../lib/words.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { moveKeys, openKey } from "../../ui/Kbd.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { ArtifactHits, ResultGroup } from "./Results.tsx";
import {
  footWords,
  olderWords,
  ProgressBar,
  progressOf,
  reachWords,
  scopeWords,
  Unread,
} from "./SearchProgress.tsx";
import { SearchTools } from "./SearchTools.tsx";
import { type EverywhereSearch, kindsOf, readEverywhereSearch } from "./search.ts";
import { inside, newestFirst, useConversationTargets, useRunTargets } from "./targets.ts";
import { useSearchRun } from "./useSearchRun.ts";

/** Looked through at first, and by each further step. */
const runsAtOnce = 50;
const conversationsAtOnce = 20;

/** Search across inputs, outputs, logs, messages and artifact names; each result leads to the very place. */
export function SearchPage({ search }: { search: EverywhereSearch }) {
  const navigate = useNavigate({ from: "/search" });
  const text = (search.q ?? "").trim();
  const regex = search.as === "pattern";
  const problem = regex ? patternProblem(text) : null;
  const isNoPattern = problem !== null;
  const kinds = useMemo(() => kindsOf({ in: search.in }), [search.in]);
  const steps = 1 + (search.more ?? 0);
  const isAsked = text !== "" && !isNoPattern;
  const wants = (kind: keyof typeof inside) =>
    isAsked && kinds.some((one) => inside[kind].includes(one) || (kind === "run" && one === "inputs"));
  const runs = useRunTargets(runsAtOnce * steps, wants("run"));
  const conversations = useConversationTargets(conversationsAtOnce * steps, wants("conversation"));
  const targets = useMemo(
    () => newestFirst([...runs.list, ...conversations.list]),
    [runs.list, conversations.list],
  );
  const { run, state } = useSearchRun({ text: isAsked ? text : "", regex, kinds, targets });
  const isListing =
    runs.isReading || conversations.isReading || run === null || state.looked.length < targets.length;
  const progress = progressOf(state, isListing);

  const change = (part: EverywhereSearch) =>
    void navigate({ search: (old) => readEverywhereSearch({ ...old, ...part }), replace: true });
  useFocusKeys("result");

  const groups = state.looked.filter(({ hits }) => hits.length > 0);
  const artifacts = state.artifacts?.found;
  const hasArtifacts = artifacts != null && artifacts.rows.length > 0;
  const hasMore = runs.hasMore || conversations.hasMore;
  const isUnread =
    progress.failed > 0 ||
    runs.error != null ||
    conversations.error != null ||
    state.artifacts?.status === "failed";
  const wasLooked = progress.done > 0 || state.artifacts?.status === "done";
  const isNothing =
    (wasLooked || !isUnread) && progress.isOver && state.end === null && groups.length === 0 && !hasArtifacts;
  const scope = scopeWords(
    reachWords(runs, "run"),
    reachWords(conversations, "conversation"),
    state.artifacts,
  );
  const searchMore = () => change({ more: (search.more ?? 0) + 1 });
  const moreLabel = `Search ${runs.hasMore ? runsAtOnce : conversationsAtOnce} more`;
  return (
    <Page title={text === "" ? "Search" : `“${text.slice(0, 60)}” · Search`} heading="Search">
      <SearchTools search={search} isNoPattern={isNoPattern} onChange={change} onLeave={() => stepFocus(1)} />
      {isNoPattern && (
        <Notice
          kind="failed"
          title="Invalid regular expression"
          action={
            <Button size="small" onClick={() => change({ as: undefined })}>
              Search as text
            </Button>
          }
        >
          {problem}
        </Notice>
      )}
      {!isAsked && !isNoPattern && <NoQuery />}
      {isAsked && (
        <>
          <ProgressBar progress={progress} scope={scope} end={state.end} run={run} />
          <span role="status" className="sr-only">
            {progress.isOver && `Search finished: ${counted(progress.places, "match", "matches")}.`}
          </span>
          {state.end === "too slow" && (
            <Notice kind="waits" title="The regular expression took too long">
              The search was stopped. Earlier matches are shown; try a simpler pattern.
            </Notice>
          )}
          <Unread
            state={state}
            runs={runs}
            conversations={conversations}
            onRetry={() => {
              if (runs.error !== null) runs.retry();
              if (conversations.error !== null) conversations.retry();
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
                  ? "Everything that could be loaded was searched."
                  : scope === ""
                    ? "There is nothing to search yet. Start a run or a conversation first."
                    : `Searched ${scope}.`
              }
            >
              {hasMore && <Button onClick={searchMore}>{moreLabel}</Button>}
            </Nothing>
          )}
          {hasMore && progress.isOver && !isNothing && (
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-3 pr-edge-right pl-edge-left text-muted">
              {olderWords(runs, conversations)}
              <Button size="small" onClick={searchMore}>
                {moreLabel}
              </Button>
            </p>
          )}
          <PageFoot keys={[moveKeys, openKey]}>
            {progress.isOver ? footWords(hasMore, conversations, isUnread) : "Newest first"}
          </PageFoot>
        </>
      )}
    </Page>
  );
}

function NoQuery() {
  return (
    <EmptyState title="Search everywhere">
      Search run inputs, outputs and logs, conversation messages and tool calls, and artifact names. Results
      open the exact line or message.
    </EmptyState>
  );
}

function Nothing({ text, words, children }: { text: string; words: string; children: ReactNode }) {
  return (
    <EmptyState
      title={<>No matches for “{text.slice(0, 80)}”</>}
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

/** What the browser says of a pattern that is none; null where it is one. */
function patternProblem(text: string): string | null {
  try {
    new RegExp(text);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.message}.` : "It is not valid.";
  }
}
