import { useNow } from "../../lib/time/clock.tsx";
import { cx } from "../../ui/cx.ts";
import { linkClass } from "../../ui/linkClass.ts";
import { Notice } from "../../ui/Notice.tsx";
import { StateShape } from "../../ui/StateShape.tsx";
import type { Queued } from "./outbox.ts";
import { type QueuedState, stateOfQueued } from "./queued-state.ts";

type Props = {
  queued: readonly Queued[];
  /** The agent works, so that there is an end of the turn to wait for. */
  isMoving: boolean;
  onEdit: (one: Queued) => void;
  onCancel: (one: Queued) => void;
  onSendNow: (one: Queued) => void;
};

/** Messages that wait for the end of the turn, in their order. They go by themselves, also when this page is left. */
export function Outbox({ queued, isMoving, onEdit, onCancel, onSendNow }: Props) {
  const now = useNow(true, 10_000);
  return (
    <ul aria-label="Waiting messages" className="pb-2">
      {queued.map((one, at) => {
        const state = stateOfQueued(one, now);
        const isHeld = state === "waits" ? !isMoving : state !== "sending";
        return (
          <li key={one.id}>
            <div className="flex min-h-7 items-center gap-2.5">
              <StateShape tone={state === "sending" ? "running" : "waiting"} />
              <span className="min-w-0 flex-1 truncate" title={one.text.slice(0, 1_000)}>
                {one.text}
              </span>
              <span className={cx("shrink-0 text-muted text-secondary", !isHeld && "max-sm:hidden")}>
                {words[state] ??
                  (isHeld ? "held" : at === 0 ? "sends when the turn ends" : `number ${at + 1}`)}
              </span>
              {state !== "sending" && (
                <>
                  {isHeld && at === 0 && <Act name="Send now" onClick={() => onSendNow(one)} />}
                  <Act name="Edit" onClick={() => onEdit(one)} />
                  <Act name="Cancel" onClick={() => onCancel(one)} />
                </>
              )}
            </div>
            {one.problem !== null && (
              <Notice kind="failed" look="box" title="The message was not taken">
                {one.problem}
              </Notice>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const words: Readonly<Record<QueuedState, string | null>> = {
  waits: null,
  sending: "sending",
  unclear: "may have been sent",
  refused: "not sent",
  old: "waited for more than a day",
};

function Act({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" className={cx(linkClass, "text-secondary")} onClick={onClick}>
      {name}
    </button>
  );
}
