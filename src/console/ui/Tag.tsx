import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { StateShape, type Tone } from "./State.tsx";

const tones = {
  neutral: "bg-surface-pressed text-muted",
  added: "bg-diff-add-bg text-state-done-fg",
  removed: "bg-diff-del-bg text-state-failed-fg",
  edited: "bg-accent-bg text-accent",
};

/** A word on something in a row: what was added or removed here. Not for states. */
export function Tag({ tone = "neutral", children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span className={cx("inline-block rounded-tag px-1.5 text-secondary leading-[18px]", tones[tone])}>
      {children}
    </span>
  );
}

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
export function StatePill({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-6 shrink-0 items-center gap-[5px] whitespace-nowrap rounded-pill border pr-[9px] pl-[7px] font-medium",
        tone === "unknown" ? "text-mono-narrow" : "text-secondary",
        tints[tone],
      )}
    >
      <StateShape tone={tone} />
      <span>{word}</span>
    </span>
  );
}
