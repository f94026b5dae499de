import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { cx } from "../../ui/cx.ts";
import { PanelSection } from "../../ui/Panel.tsx";
import { type Tone, toneBar } from "../../ui/tone.ts";
import { makeStrip, type RunRow } from "../runs/index.ts";

const marked: readonly Tone[] = ["failed", "stopped"];

/** The runs of the last day at a glance: one bar each, in order of start. Leads to the list. */
export function DayStrip({ rows, now, isCut }: { rows: readonly RunRow[]; now: number; isCut: boolean }) {
  const strip = useMemo(() => makeStrip(rows, now), [rows, now]);
  const runs = `${rows.length}${isCut ? "+" : ""} ${rows.length === 1 ? "run" : "runs"}`;
  return (
    <PanelSection
      title="Last 24 hours"
      aside={
        <span className="flex gap-3">
          <span>{runs}</span>
          {strip.failed > 0 && <span className="text-state-failed-fg">{strip.failed} failed</span>}
        </span>
      }
    >
      {strip.bars.length === 0 ? (
        <p className="text-muted">No runs yet.</p>
      ) : (
        <Link
          to="/runs"
          search={{ started: "24h" }}
          aria-label={`${runs} in the last 24 hours, ${strip.failed} failed`}
          className="flex h-10 items-stretch gap-px rounded-tag hover:opacity-80"
        >
          {strip.bars.map((bar) => (
            <span key={bar.runId} className="relative flex max-w-2 flex-1 flex-col justify-end pb-1.5">
              <span
                className={cx("block min-h-px", toneBar[bar.tone])}
                style={{ height: `${bar.share * 100}%` }}
              />
              {marked.includes(bar.tone) && (
                <span className={cx("absolute inset-x-0 bottom-0 h-1", toneBar[bar.tone])} />
              )}
            </span>
          ))}
        </Link>
      )}
    </PanelSection>
  );
}
