import type { ReactNode } from "react";
import { SegmentBar } from "../../ui/SegmentBar.tsx";
import type { Tone } from "../../ui/State.tsx";
import { StateShape } from "../../ui/State.tsx";

/** How many of many are done and failed, as one bar. */
export function ResultsBar({ done, failed, total }: { done: number; failed: number; total: number }) {
  return (
    <SegmentBar
      label={`${done} done, ${failed} failed, of ${total}`}
      total={total}
      parts={[
        { key: "done", count: done, className: "bg-chart-quiet" },
        { key: "failed", count: failed, className: "bg-state-failed-mark" },
      ]}
    />
  );
}

/** One of many in a list: how far it is, what it is called, and what became of it. */
export function ResultRow({ tone, name, children }: { tone: Tone; name: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-3 py-1.5">
      <StateShape tone={tone} className="mt-[3px]" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        <span className="block break-words text-muted text-secondary">{children}</span>
      </span>
    </li>
  );
}
