import { cloneElement, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { type Tone, toneBar } from "./State.tsx";

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

type AxisLabelsProps = {
  /** In order, each at the right of its place, from 0 to 1. */
  marks: readonly { readonly at: number; readonly word: string }[];
  /** At the right end, always. */
  end: string;
  /** As wide as what stands over it can become, in px. */
  width: number;
  className?: string;
};

/**
 * The words under bars. Each has the room up to the next one; one that needs more wraps out of sight, so that none lies
 * over another, however few the bars are and however large the letters.
 */
export function AxisLabels({ marks, end, width, className }: AxisLabelsProps) {
  return (
    <div
      aria-hidden="true"
      className={cx(
        "relative mt-1 flex h-[1.3em] min-w-fit justify-end overflow-hidden whitespace-nowrap text-axis text-muted tabular-nums",
        className,
      )}
      style={{ maxWidth: width }}
    >
      {marks.map(({ at, word }, n) => {
        const next = marks[n + 1];
        return (
          <span
            key={at}
            className="absolute inset-y-0 flex flex-wrap content-start overflow-hidden pr-2 before:h-full before:w-px before:content-['']"
            style={{
              left: `${at * 100}%`,
              // The last but one may reach below the end as well.
              width: `min(${((next?.at ?? 1) - at) * 100}%, ${(1 - at) * 100}% - ${end.length}ch)`,
            }}
          >
            {word}
          </span>
        );
      })}
      <span>{end}</span>
    </div>
  );
}

/** An element that is drawn as a part: a router's link with its name in it. */
export type Fillable = ReactElement<{
  className?: string;
  children?: ReactNode;
  "aria-describedby"?: string;
}>;

/** `element` with these properties and children: its own class stands after, what else it says itself wins. */
export function fillElement(
  element: Fillable,
  props: { className: string; "aria-current"?: "page" },
  children: ReactNode,
): Fillable {
  const own = element.props;
  return cloneElement(element, { ...props, ...own, className: cx(props.className, own.className) }, children);
}
