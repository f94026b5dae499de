import { formatDuration } from "../../../lib/time/format.ts";
import { cx } from "../../../ui/cx.ts";
import type { Tone } from "../../../ui/State.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { ticks, tickWord, useTickCount } from "../axis.ts";
import type { NodeProgress, NodeSpan } from "../log/timeline.ts";

type Props = {
  spans: readonly NodeSpan[];
  leftOut: number;
  /** ms since 1970: when the run began, and its end or the present moment. */
  from: number;
  to: number;
  isMoving: boolean;
  /** Goes to a line of the log, 1-based. */
  onLine: (number: number) => void;
};

const tones: Record<NodeProgress, Tone> = {
  running: "running",
  waiting: "waiting",
  done: "done",
  failed: "failed",
  skipped: "waiting",
};
const bars: Record<NodeProgress, string> = {
  running: "bg-state-running-mark",
  waiting: "bg-chart-ghost",
  done: "bg-chart-quiet",
  failed: "bg-state-failed-mark",
  skipped: "bg-chart-ghost",
};
/** What a row leads to, and what only its bar shows. */
function aboutSpan({ node, lines, firstLine, retries, waitsFor }: NodeSpan, error: number | null): string {
  const about = [`${node}: ${lines} lines, from line ${firstLine + 1}`];
  if (waitsFor !== null) about.push(waitsFor);
  if (retries.length > 0) about.push(`retried ${retries.length === 1 ? "once" : `${retries.length} times`}`);
  if (error !== null) about.push(`first error at line ${error + 1}`);
  return about.join(", ");
}

/** A node that wrote nothing for this long is said to be silent. */
const silentAfter = 30_000;

/** When each node ran, as far as the log tells it. A row leads to the first line of its node; of one that failed, to its first error. */
export function NodesTimeline({ spans, leftOut, from, to, isMoving, onLine }: Props) {
  const length = Math.max(1, to - from, ...spans.map((span) => span.to - from));
  const place = (ms: number) => `${(Math.min(Math.max(0, ms - from), length) / length) * 100}%`;
  const [axis, tickCount] = useTickCount();
  const count = (progress: NodeProgress) =>
    isMoving ? spans.filter((span) => span.progress === progress).length : 0;
  const counts = [`${count("running")} running`, `${count("waiting")} waiting`].filter(
    (words) => !words.startsWith("0 "),
  );
  return (
    <section aria-label="Nodes" className="border-b py-3 pr-edge-right pl-edge-left">
      <header className="flex items-baseline gap-3 max-sm:hidden">
        <h3 className="font-semibold">Nodes</h3>
        <p className="flex-1 truncate text-muted text-secondary">reconstructed from the log</p>
        {counts.length > 0 && <p className="text-muted text-secondary">{counts.join(", ")}</p>}
      </header>
      <div className="relative max-h-[232px] overflow-y-auto">
        <div
          ref={axis}
          className="pointer-events-none absolute inset-y-0 right-[84px] left-[132px] text-axis sm:left-[35%]"
          aria-hidden="true"
        >
          {ticks(length, tickCount).map((tick) => (
            <span
              key={tick}
              className="absolute inset-y-0 border-chart-grid border-l"
              style={{ left: `${(tick / length) * 100}%` }}
            >
              <span className="-translate-x-1/2 absolute top-0 hidden whitespace-nowrap bg-surface px-1 text-axis text-muted tabular-nums sm:block">
                {tickWord(tick)}
              </span>
            </span>
          ))}
          {isMoving && <span className="absolute inset-y-0 right-0 w-px bg-state-running-mark" />}
        </div>
        <ol className="relative sm:pt-4">
          {spans.map((span) => {
            const isRunning = isMoving && span.progress === "running";
            const waitsFor = isMoving ? span.waitsFor : null;
            const silence = isRunning ? to - span.to : 0;
            const end = isRunning || waitsFor !== null ? to : span.to;
            const isSilent = silence > silentAfter;
            const error = span.progress === "failed" ? span.firstError : null;
            const first = span.firstLine + 1;
            return (
              <li key={span.node} className="flex h-5.5 items-center">
                <Tooltip content={aboutSpan(span, error)}>
                  <button
                    type="button"
                    onClick={() => onLine(error === null ? first : error + 1)}
                    className="flex w-[132px] min-w-0 items-center gap-2 pr-3 text-left sm:w-[35%]"
                  >
                    <StateShape tone={isRunning ? "running" : toneOf(span.progress, isMoving)} />
                    <span className="min-w-0 flex-1 truncate">{span.node}</span>
                    {waitsFor !== null && (
                      <span className="hidden shrink-0 text-secondary text-state-waiting-fg sm:inline">
                        {waitsFor.replace("waiting for a free place", "waits")}
                      </span>
                    )}
                    {isSilent && (
                      <span className="hidden text-secondary text-state-stopped-fg sm:inline">
                        no output for {formatDuration(silence)}
                      </span>
                    )}
                  </button>
                </Tooltip>
                <span className="relative h-1.5 flex-1">
                  <span
                    className={cx(
                      "absolute inset-y-0 min-w-0.5 rounded-[1px]",
                      bars[isOpen(span.progress) && !isMoving ? "skipped" : span.progress],
                    )}
                    style={{
                      left: place(span.from),
                      width: share((isSilent ? span.to : end) - span.from, length),
                    }}
                  />
                  {isSilent && (
                    <span
                      className="absolute inset-y-0 opacity-40 [background:repeating-linear-gradient(90deg,var(--state-running-mark)_0_5px,transparent_5px_9px)]"
                      style={{ left: place(span.to), width: share(silence, length) }}
                    />
                  )}
                  {apart(span.retries, length / 80).map((retry) => (
                    <span
                      key={retry}
                      className="-top-1 absolute h-3.5 w-1 rounded-[2px] border border-state-stopped-mark bg-surface"
                      style={{ left: place(retry) }}
                    />
                  ))}
                </span>
                <span className="w-[84px] text-right text-muted text-secondary tabular-nums">
                  {lengthOf(span.progress, end - span.from, isMoving && isOpen(span.progress))}
                </span>
              </li>
            );
          })}
        </ol>
      </div>
      {leftOut > 0 && <p className="pt-1 text-faint text-secondary">{leftOut} more nodes not shown</p>}
    </section>
  );
}

/** It has not ended by any word of the log. */
const isOpen = (progress: NodeProgress) => progress === "running" || progress === "waiting";

function lengthOf(progress: NodeProgress, length: number, ticks: boolean): string {
  if (progress === "skipped") return "skipped";
  return formatDuration(length, { fine: !ticks });
}
/** Leaves out what would be drawn over the one before it. */
function apart(times: readonly number[], distance: number): readonly number[] {
  let last = Number.NEGATIVE_INFINITY;
  return times.filter((time) => {
    if (time - last < distance) return false;
    last = time;
    return true;
  });
}
const share = (part: number, whole: number) => `${Math.min(100, (Math.max(0, part) / whole) * 100)}%`;
/** After the run's end a node without a word of its end is not running any more, but how it ended is not known. */
const toneOf = (progress: NodeProgress, isMoving: boolean): Tone =>
  isOpen(progress) && !isMoving ? "waiting" : tones[progress];
