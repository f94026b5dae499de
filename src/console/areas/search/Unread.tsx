import { describeError } from "../../api/describe-error.ts";
import { ConsoleError, isForbidden, isNotFound } from "../../api/errors.ts";
import { shownName } from "../../lib/shownName.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { SearchState } from "./search-run.ts";
import { TargetLink } from "./TargetLink.tsx";
import type { Targets } from "./useTargets.ts";

type Props = { state: SearchState; runs: Targets; talks: Targets; onRetry: () => void };

/** So many are named. */
const mostNamed = 4;

/** What could not be looked through, why, and another try. */
export function Unread({ state, runs, talks, onRetry }: Props) {
  const failed = state.looked.filter(({ status }) => status === "failed");
  const lists = [
    { what: "The list of runs", error: runs.error },
    { what: "The list of conversations", error: talks.error },
    { what: "The artifacts", error: state.artifacts?.error },
  ].filter(({ error }) => error != null);
  if (failed.length + lists.length === 0) return null;
  return (
    <Notice
      kind="failed"
      title={
        failed.length === 0
          ? "Not everything could be listed"
          : `${counted(failed.length, "of them", "of them")} could not be looked through`
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
  if (isForbidden(error)) return "it may not be seen with this key.";
  if (isNotFound(error)) return "it is gone, or may not be seen with this key.";
  if (!(error instanceof ConsoleError) && error instanceof Error) return `${error.message}.`;
  return describeError(error).what;
}
