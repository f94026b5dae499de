import X from "lucide-react/icons/x";
import { shownName } from "../../lib/shownName.ts";
import { cx } from "../../ui/cx.ts";
import type { Entry } from "./addresses.ts";

/** One address or team that was read, before it is added. */
export function EntryChip({ entry, onRemove }: { entry: Entry; onRemove: () => void }) {
  return (
    <span
      className={cx(
        "inline-flex h-6 max-w-full items-center rounded-tag pl-2 font-medium text-secondary",
        entry.kind === "unreadable" ? "bg-diff-del-bg text-state-failed-fg" : "bg-surface-pressed",
      )}
    >
      <bdi className="truncate">{shownName(entry.text)}</bdi>
      <button
        type="button"
        aria-label={`Take ${entry.text} out`}
        onClick={onRemove}
        className="flex h-full items-center rounded-tag px-1 text-muted hover:text-default"
      >
        <X />
      </button>
    </span>
  );
}
