import type { ReactNode } from "react";
import { cx } from "./cx.ts";

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
