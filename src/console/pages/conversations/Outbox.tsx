import type { Queued } from "../../components/conversation/useOutbox.ts";
import { cx } from "../../ui/cx.ts";
import { linkClass } from "../../ui/linkClass.ts";
import { StateShape } from "../../ui/StateShape.tsx";

type Props = {
  queued: readonly Queued[];
  /** Nothing goes by itself any more: the turn failed, or sending did. */
  isHeld: boolean;
  onEdit: (one: Queued) => void;
  onCancel: (one: Queued) => void;
  onSendNow: (one: Queued) => void;
};

/** Messages that wait for the end of the turn, in their order. */
export function Outbox({ queued, isHeld, onEdit, onCancel, onSendNow }: Props) {
  return (
    <ul aria-label="Waiting messages" className="pb-2">
      {queued.map((one, at) => (
        <li key={one.id} className="flex min-h-7 items-center gap-2.5">
          <StateShape tone="waiting" />
          <span className="min-w-0 flex-1 truncate" title={one.text.slice(0, 1_000)}>
            {one.text}
          </span>
          <span className="shrink-0 text-muted text-secondary max-sm:hidden">
            {isHeld ? "held" : at === 0 ? "sends when the turn ends" : `number ${at + 1}`}
          </span>
          {isHeld && at === 0 && (
            <button type="button" className={cx(linkClass, "text-secondary")} onClick={() => onSendNow(one)}>
              Send now
            </button>
          )}
          <button type="button" className={cx(linkClass, "text-secondary")} onClick={() => onEdit(one)}>
            Edit
          </button>
          <button type="button" className={cx(linkClass, "text-secondary")} onClick={() => onCancel(one)}>
            Cancel
          </button>
        </li>
      ))}
    </ul>
  );
}
