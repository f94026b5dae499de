import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Spinner } from "./Spinner.tsx";

/** How a state looks. The contract's state tables say which tone, shape and word a state has; this room only draws it. */
export type Tone = "running" | "done" | "failed" | "stopped" | "stopping" | "waiting" | "unknown";

/** Colour of the word beside a shape in a list: coloured only for what moves, failed or was stopped. */
export const toneWord: Record<Tone, string> = {
  running: "text-state-running-fg",
  done: "text-muted",
  failed: "text-state-failed-fg",
  stopped: "text-state-stopped-fg",
  stopping: "text-state-stopped-fg",
  waiting: "text-muted",
  unknown: "text-state-unknown-fg",
};

/** Fill of a bar: the ordinary case is quiet, so that only trouble has colour. */
export const toneBar: Record<Tone, string> = {
  running: "bg-state-running-mark",
  done: "bg-chart-quiet",
  failed: "bg-state-failed-mark",
  stopped: "bg-state-stopped-mark",
  stopping: "bg-state-stopped-mark",
  waiting: "bg-chart-ghost",
  unknown: "bg-state-unknown-mark",
};

/** A state in a list or a cell: shape and word, no tint. A word that we do not know is shown as it came, in a dashed outline. */
export function State({
  tone,
  word,
  isPlain = false,
}: {
  tone: Tone;
  word: string;
  /** At the end of a row, where the word is support: of normal weight. */
  isPlain?: boolean;
}) {
  return (
    <span className="inline-flex items-baseline gap-[7px] whitespace-nowrap">
      <StateShape tone={tone} className="self-center" />
      <span
        className={cx(
          toneWord[tone],
          !isPlain && isStrong[tone] && "font-medium",
          tone === "unknown" && unknownWord,
        )}
      >
        {word}
      </span>
    </span>
  );
}

const isStrong: Partial<Record<Tone, true>> = { running: true, failed: true };

const unknownWord =
  "max-w-32 truncate rounded-mark border border-dashed border-state-unknown-line px-1 text-mono-narrow leading-[14px] font-medium";

const arc = "M7 1.75A5.25 5.25 0 0 1 12.25 7";

const shapes: Record<Exclude<Tone, "running">, ReactNode> = {
  done: <path d="M2.25 7.6 5.4 10.6 11.75 3.6" className="stroke-state-done-mark" />,
  failed: (
    <path d="M2.9 2.9 11.1 11.1M11.1 2.9 2.9 11.1" strokeWidth="2.2" className="stroke-state-failed-mark" />
  ),
  stopped: <rect x="2.75" y="2.75" width="8.5" height="8.5" rx="1" className="fill-state-stopped-mark" />,
  stopping: (
    <>
      <g className="turning">
        <circle cx="7" cy="7" r="5.25" className="stroke-state-stopped-line" />
        <path d={arc} className="stroke-state-stopped-mark" />
      </g>
      <rect x="5" y="5" width="4" height="4" rx="0.5" className="fill-state-stopped-mark" />
    </>
  ),
  waiting: (
    <circle
      cx="7"
      cy="7"
      r="5.25"
      strokeWidth="1.6"
      strokeDasharray="1.5 2.624"
      className="stroke-state-waiting-mark"
    />
  ),
  unknown: (
    <>
      <path
        d="M7 1.5 12.5 7 7 12.5 1.5 7Z"
        strokeWidth="1.5"
        strokeLinejoin="round"
        className="stroke-state-unknown-mark"
      />
      <circle cx="7" cy="7" r="1.1" className="fill-state-unknown-mark" />
    </>
  ),
};

/** The 14 px shape of a state. Silent by itself: the word belongs beside it, or in `label` where there is no room. */
export function StateShape({ tone, label, className }: { tone: Tone; label?: string; className?: string }) {
  return (
    <span className={cx("inline-flex shrink-0", className)} data-tone={tone} title={label}>
      {tone === "running" ? (
        <Spinner />
      ) : (
        <svg viewBox="0 0 14 14" width="14" height="14" fill="none" strokeWidth="2" aria-hidden="true">
          {shapes[tone]}
        </svg>
      )}
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}
