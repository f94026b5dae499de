import { describeError } from "../../api/describe-error.ts";
import { isConflict, isNotFound } from "../../api/errors.ts";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** Why a message was not taken. It is still in the field. */
export function SendError({ error }: { error: unknown }) {
  const title = isConflict(error)
    ? "The agent has begun another turn meanwhile"
    : isNotFound(error)
      ? "The message was not taken: the agent or the conversation is gone"
      : "The message was not taken";
  return (
    <Notice kind="failed" look="box" title={title}>
      {isConflict(error)
        ? "Your message is still here. Queue it, or send it when the turn ends."
        : `${sendProblem(error)} Your message is still here.`}{" "}
      <Refusal error={error} />
    </Notice>
  );
}

/** Why a message was not taken, in words that can be kept with it. */
export function sendProblem(error: unknown): string {
  const { what, means, next } = describeError(error);
  return `${what} ${means} ${next}`.trim();
}
