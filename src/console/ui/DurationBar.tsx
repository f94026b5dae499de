import { cx } from "./cx.ts";
import { type Tone, toneBar } from "./tone.ts";

type Props = {
  /** How long, from 0 to 1 of the scale that all rows share; what lies outside is cut. */
  share: number;
  tone: Tone;
  /** The usual span on the same scale, drawn in grey behind the bar. */
  usual?: { from: number; to: number };
  className?: string;
};

/** A bar of 40 × 4 px beside a duration. The track is always drawn. Silent: the duration in words stands beside it. */
export function DurationBar({ share, tone, usual, className }: Props) {
  return (
    <span
      className={cx("relative block h-1 self-center w-10 shrink-0 overflow-hidden bg-line", className)}
      aria-hidden="true"
    >
      {usual && (
        <span
          className="absolute inset-y-0 bg-chart-ghost"
          style={{ left: percent(usual.from), width: percent(usual.to - usual.from) }}
        />
      )}
      <span
        className={cx("absolute inset-y-0 left-0 min-w-px", toneBar[tone])}
        style={{ width: percent(share) }}
      />
    </span>
  );
}

/** A share of 0 to 1 as a CSS width; what is no number is nothing. */
function percent(share: number): string {
  return `${(Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0) * 100}%`;
}
