import { cx } from "./cx.ts";
import { StateShape } from "./StateShape.tsx";
import type { Tone } from "./tone.ts";

const tints: Record<Tone, string> = {
  running: "border-state-running-line bg-state-running-bg text-state-running-fg",
  done: "border-state-done-line bg-state-done-bg text-state-done-fg",
  failed: "border-state-failed-line bg-state-failed-bg text-state-failed-fg",
  stopped: "border-state-stopped-line bg-state-stopped-bg text-state-stopped-fg",
  stopping: "border-state-stopped-line bg-state-stopped-bg text-state-stopped-fg",
  waiting: "border-state-waiting-line bg-state-waiting-bg text-state-waiting-fg",
  unknown: "border-state-unknown-fg text-state-unknown-fg",
};

/** The tinted state of a header or a panel; lists use State. */
export function StatePill({ tone, word, className }: { tone: Tone; word: string; className?: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-6 shrink-0 items-center gap-[5px] whitespace-nowrap rounded-pill border pr-[9px] pl-[7px] font-medium",
        tone === "unknown" ? "text-mono-narrow" : "text-secondary",
        tints[tone],
        className,
      )}
    >
      <StateShape tone={tone} />
      <span>{word}</span>
    </span>
  );
}
