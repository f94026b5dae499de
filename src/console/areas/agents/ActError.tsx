import { describeError } from "../../api/describe-error.ts";
import { ConsoleError, isConflict, isNotFound } from "../../api/errors.ts";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** The number of the version that refused an act (409 `agent_version_conflict`); null where it was not said. */
export function currentVersionOf(error: unknown): number | null {
  if (!(error instanceof ConsoleError) || error.failure.kind !== "http") return null;
  const { details } = error.failure;
  if (typeof details !== "object" || details === null || !("current_version" in details)) return null;
  return typeof details.current_version === "number" ? details.current_version : null;
}

/** Why an act on an agent was not done. `what` says which, as a sentence without its end. */
export function ActError({ error, what }: { error: unknown; what: string }) {
  const words = describeError(error);
  const version = currentVersionOf(error);
  const text = isConflict(error)
    ? `Somebody changed the agent meanwhile${version === null ? "" : `: it is at version ${version}`}. Nothing was done. Look at what changed, then try again.`
    : isNotFound(error)
      ? `${words.what} The agent, or something that it names, is not there for you any more.`
      : `${words.what} ${words.means} ${words.next}`;
  return (
    <Notice kind="failed" look="box" title={what}>
      {text} <Refusal error={error} />
    </Notice>
  );
}
