import { cx } from "./cx.ts";

type Props = {
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
export function AxisLabels({ marks, end, width, className }: Props) {
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
