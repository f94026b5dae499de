import { useMemo } from "react";
import { useNow, useTimeReader } from "../../../lib/time/clock.tsx";
import { formatDuration, formatMark, zoneMark } from "../../../lib/time/format.ts";
import { AxisLabels } from "../../../ui/Chart.tsx";
import { cx } from "../../../ui/cx.ts";
import { type Tone, toneBar } from "../../../ui/State.tsx";
import type { RunRow } from "../run-row.ts";
import { type Bar, hourMarks, makeStrip } from "../strip.ts";
import { tickWord } from "../tick-word.ts";

type Props = {
  runs: readonly RunRow[];
  /** Some of them still move, so bars grow. */
  isMoving: boolean;
  selected: string | undefined;
  onSelect: (runId: string) => void;
};

/** Bars of these also carry a mark under the axis, so that a short one is not lost. */
const marked: readonly Tone[] = ["failed", "stopped"];

/** Is anything wrong, and is it one cause? Answers before the table does. */
export function RunsStrip({ runs, isMoving, selected, onSelect }: Props) {
  const now = useNow(isMoving);
  const reader = useTimeReader();
  const strip = useMemo(() => makeStrip(runs, now), [runs, now]);
  const { bars } = strip;
  const offset = (ms: number) => (reader.zone === "utc" ? 0 : -new Date(ms).getTimezoneOffset() * 60_000);
  const [first] = bars;
  const hours = hourMarks(bars, 4, offset).filter(
    ({ index }) => index / bars.length > 0.12 && index / bars.length < 0.9,
  );
  const marks = first && bars.length > 8 ? [{ at: first.at, index: 0 }, ...hours] : [];
  return (
    <section aria-label="Runs at a glance" className="shrink-0 pr-edge-right pb-2 pl-edge-left">
      <p className="flex min-h-5 items-baseline gap-x-4 whitespace-nowrap text-secondary leading-5 tabular-nums">
        <span>
          <strong className="font-semibold">{runs.length}</strong>{" "}
          <span className="text-muted">{runs.length === 1 ? "run" : "runs"}</span>
        </span>
        {strip.failed > 0 && <span className="font-medium text-state-failed-fg">{strip.failed} failed</span>}
        {strip.commonError && (
          <span className="min-w-0 flex-1 truncate max-lg:hidden">
            <span className="text-muted">{strip.commonError.count} of them:</span> {strip.commonError.text}
          </span>
        )}
        {strip.median !== null && strip.slowest !== null && (
          <span className="ml-auto flex gap-4 whitespace-nowrap text-muted max-sm:hidden">
            <span>
              median <strong className="font-semibold text-default">{word(strip.median)}</strong>
            </span>
            <span>
              slowest so far <strong className="font-semibold text-default">{word(strip.slowest)}</strong>
            </span>
          </span>
        )}
      </p>
      <div className="relative mt-2 h-[58px] pr-9">
        {strip.grid !== null && (
          <div
            className="absolute inset-x-0 border-chart-grid border-t"
            style={{ bottom: `${8 + (strip.grid / strip.scale) * 50}px` }}
          >
            <span className="-top-[7px] absolute right-0 bg-surface pl-1 text-axis text-muted">
              {tickWord(strip.grid)}
            </span>
          </div>
        )}
        <div className="absolute right-9 bottom-2 left-0 border-line-strong border-t" />
        <div className="relative flex h-full items-stretch gap-0.5">
          {bars.map((bar) => (
            <StripBar key={bar.runId} bar={bar} isSelected={bar.runId === selected} onSelect={onSelect} />
          ))}
        </div>
      </div>
      <AxisLabels
        className="mr-9"
        // Each bar takes at most 14 px and a gap.
        width={bars.length * 16}
        marks={marks.map(({ at, index }, n) => ({
          at: index / bars.length,
          // With the day where the one before it, which may have no room, has another one.
          word: formatMark(at, { ...reader, now: (n > 1 && marks[n - 1]?.at) || reader.now }),
        }))}
        end={first ? `now${zoneMark(reader.now, reader)}` : ""}
      />
    </section>
  );
}

const word = (ms: number) => formatDuration(ms, { fine: ms < 10_000 });

function StripBar({
  bar,
  isSelected,
  onSelect,
}: {
  bar: Bar;
  isSelected: boolean;
  onSelect: (runId: string) => void;
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      aria-pressed={isSelected}
      title={`${bar.runId}: ${word(bar.length)}`}
      onClick={() => onSelect(bar.runId)}
      className="group relative flex max-w-[14px] flex-1 flex-col justify-end pb-2 max-sm:gap-px"
    >
      <span
        className={cx("block min-h-px w-full group-hover:opacity-75", toneBar[bar.tone])}
        style={{ height: `${bar.share * 100}%` }}
      />
      {bar.isCut && <span className="absolute inset-x-0 top-2 h-0.5 bg-surface" />}
      {marked.includes(bar.tone) && (
        <span className={cx("absolute inset-x-0 bottom-[3px] h-1", toneBar[bar.tone])} />
      )}
      {isSelected && (
        <span className="-translate-x-1/2 absolute bottom-[-6px] left-1/2 border-x-4 border-x-transparent border-b-[5px] border-b-accent-solid" />
      )}
    </button>
  );
}
