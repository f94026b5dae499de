import { describeError } from "../../api/describe-error.ts";
import { ConsoleError, isForbidden, isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { shownName } from "../../lib/shownName.ts";
import { useStore } from "../../lib/useStore.ts";
import { counted, grouped, listed } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Spinner } from "../../ui/Spinner.tsx";
import { TargetLink } from "./Results.tsx";
import type { SearchRun, SearchState } from "./search-run.ts";
import type { Targets } from "./targets.ts";

/** What of a kind of object is looked through: "the newest 50 runs"; null for none. */
export function reachWords({ list, hasMore, isListed }: Targets, one: string): string | null {
  const { length } = list;
  if (length === 0) return null;
  const which = isListed ? "" : " in local history";
  if (hasMore) return `the newest ${counted(length, one)}`;
  return length === 1 ? `1 ${one}${which}` : `all ${counted(length, one)}${which}`;
}

/** How far a search has come, in numbers. */
interface Progress {
  readonly of: number;
  readonly done: number;
  readonly failed: number;
  readonly lines: number;
  readonly places: number;
  readonly isOver: boolean;
}

/** How far a search has come. @param isListing more may come to look through */
export function progressOf({ looked, artifacts, end }: SearchState, isListing: boolean): Progress {
  const done = looked.filter(({ status }) => status === "done").length;
  const failed = looked.filter(({ status }) => status === "failed").length;
  const isAtArtifacts = artifacts !== null && artifacts.status !== "done" && artifacts.status !== "failed";
  return {
    of: looked.length,
    done,
    failed,
    lines: looked.reduce((sum, one) => sum + one.lines, 0),
    places: looked.reduce((sum, one) => sum + one.found, artifacts?.found?.rows.length ?? 0),
    isOver: end !== null || (done + failed === looked.length && !isAtArtifacts && !isListing),
  };
}

/** What is or was looked through, in a sentence. */
export function scopeWords(
  runs: string | null,
  conversations: string | null,
  artifacts: SearchState["artifacts"],
): string {
  const { found } = artifacts ?? {};
  const names =
    artifacts === null || artifacts.status === "failed"
      ? null
      : found?.reach === "newest"
        ? "the newest artifact names"
        : found?.agents != null && found.agents > 0
          ? `artifact names of ${counted(found.agents, "agent")}`
          : "artifact names";
  return listed([runs, conversations, names].filter((one) => one !== null));
}

type ProgressBarProps = {
  progress: Progress;
  /** What is looked through. */
  scope: string;
  end: SearchState["end"];
  run: Pick<SearchRun, "stop" | "resume"> | null;
};

/** How far a search has come, with the ways to stop and to resume it. */
export function ProgressBar({ progress, scope, end, run }: ProgressBarProps) {
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 py-1.5 pr-edge-right pl-edge-left text-muted text-secondary">
      {!progress.isOver && <Spinner />}
      <p className="min-w-0 tabular-nums max-sm:flex-1">
        <span className="font-medium text-default">{counted(progress.places, "match", "matches")}</span>
        {progress.isOver ? "" : " so far"} · {sentenceOf(progress, scope)}
      </p>
      <HoldWords isOver={progress.isOver} />
      <span className="ml-auto flex gap-1.5">
        {!progress.isOver && (
          <Button size="small" onClick={() => run?.stop()}>
            Stop
          </Button>
        )}
        {end === "stopped" && (
          <Button size="small" onClick={() => run?.resume()}>
            Continue
          </Button>
        )}
      </span>
    </div>
  );
}

function sentenceOf({ of, done, failed, lines, isOver }: Progress, scope: string): string {
  const read = lines === 0 ? "" : `, ${counted(lines, "log line")}`;
  if (of === 0 && scope === "") return isOver ? "nothing to search" : "loading lists";
  if (of === 0) return `searched ${scope}`;
  if (isOver && done === of) return `searched ${scope}${read}`;
  const parts = `${grouped(done)} of ${grouped(of)}`;
  if (isOver) return `searched ${parts}${read}${failed > 0 ? `, ${failed} could not be loaded` : ""}`;
  return `searching ${scope}: ${parts} so far${read}`;
}

/** What was not looked through, and may be. */
export function olderWords(runs: Targets, conversations: Targets): string {
  const older = [...(runs.hasMore ? ["runs"] : []), ...(conversations.hasMore ? ["conversations"] : [])];
  return `Older ${listed(older)} were not searched.`;
}

/** What was left out. */
export function footWords(hasMore: boolean, conversations: Targets, isUnread: boolean): string {
  if (isUnread) return "Some items could not be loaded";
  return conversations.limit ?? (hasMore ? "Older items were not searched" : "Everything was searched");
}

/** Why it goes slowly, where the service asked for it. */
function HoldWords({ isOver }: { isOver: boolean }) {
  const { traffic } = useApi();
  const hold = useStore(traffic.hold);
  if (isOver || hold === null) return null;
  return (
    <span className="text-state-stopped-fg">
      {hold.reason === "asked"
        ? "Rate limited by the service."
        : "Many requests are failing; retrying less often."}
    </span>
  );
}

type Props = { state: SearchState; runs: Targets; conversations: Targets; onRetry: () => void };

/** So many are named. */
const mostNamed = 4;

/** What could not be looked through, why, and another try. */
export function Unread({ state, runs, conversations, onRetry }: Props) {
  const failed = state.looked.filter(({ status }) => status === "failed");
  const lists = [
    { what: "The list of runs", error: runs.error },
    { what: "The list of conversations", error: conversations.error },
    { what: "The artifacts", error: state.artifacts?.error },
  ].filter(({ error }) => error != null);
  if (failed.length + lists.length === 0) return null;
  return (
    <Notice
      kind="failed"
      title={
        failed.length === 0
          ? "Some lists could not be loaded"
          : `${counted(failed.length, "item")} could not be searched`
      }
      action={
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <ul>
        {lists.map(({ what, error }) => (
          <li key={what}>
            {what}: {why(error)}
          </li>
        ))}
        {failed.slice(0, mostNamed).map(({ target, error }) => (
          <li key={target.key} className="break-words">
            <TargetLink target={target} agentId={target.agentId}>
              <bdi>{shownName(target.name)}</bdi>
            </TargetLink>
            : {why(error)}
          </li>
        ))}
        {failed.length > mostNamed && <li>and {counted(failed.length - mostNamed, "more", "more")}</li>}
      </ul>
    </Notice>
  );
}

function why(error: unknown): string {
  if (isForbidden(error)) return "your key has no access.";
  if (isNotFound(error)) return "it no longer exists, or your key has no access.";
  if (!(error instanceof ConsoleError) && error instanceof Error) return `${error.message}.`;
  return describeError(error).what;
}
