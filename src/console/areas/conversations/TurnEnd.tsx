import { isConflict } from "../../api/errors.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { sendProblem } from "./SendError.tsx";
import { useSend } from "./useSend.ts";

type Props = {
  isStopped: boolean;
  /** Why it ended, where the messages do not say so already. */
  reason: string | null;
  /** What was asked, to be asked again; null where that is not known, or nothing can be asked any more. */
  asked: string | null;
  /** The id of that message; null where the service gives none. */
  askedId: string | null;
  agentId: string;
  agent: string;
  interactionId: string;
  projectId: string | null;
  onSent: (message: string) => void;
};

/** Why the last turn came to no answer, and the way to ask for it again. */
export function TurnEnd(props: Props) {
  const { isStopped, reason, asked, askedId, agentId, agent, interactionId, projectId, onSent } = props;
  const { send, isSending, error } = useSend();
  const retry = async (message: string) => {
    // The same for every tab: where the service keeps to it, a turn is asked for again once, whoever clicks.
    const key = askedId === null ? undefined : `retry-${encodeURIComponent(askedId)}`.slice(0, 255);
    try {
      const id = await send({ agentId, agentName: agent, message, interactionId, projectId }, key);
      if (id !== null) onSent(message);
    } catch {
      // Said under the button.
    }
  };
  return (
    <div
      role="alert"
      className={cx(
        reason !== null && "rounded-control border px-3 py-2",
        reason !== null &&
          (isStopped
            ? "border-state-stopped-line bg-state-stopped-bg"
            : "border-state-failed-line bg-state-failed-bg"),
      )}
    >
      {reason !== null && (
        <p
          className={cx(
            "max-w-text whitespace-pre-wrap break-words font-semibold",
            isStopped ? "text-state-stopped-fg" : "text-state-failed-fg",
          )}
        >
          {reason}
        </p>
      )}
      <p className="text-muted">
        {isStopped
          ? "What the agent did before stays done."
          : "The agent stopped here. What it did before stays done."}{" "}
        Write another message to go on{asked === null ? "." : ", or ask for the same again."}
      </p>
      {asked !== null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-2">
          <Button size="small" loading={isSending} onClick={() => void retry(asked)}>
            Try again
          </Button>
          {error !== null && (
            <span className="text-state-failed-fg">
              {isConflict(error)
                ? "The agent has begun another turn meanwhile."
                : `The message was not taken. ${sendProblem(error)}`}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
