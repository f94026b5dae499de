import { formatDuration } from "../../../lib/time/format.ts";
import { counted } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { StateShape } from "../../../ui/State.tsx";
import { Tooltip } from "../../../ui/Tooltip.tsx";
import { ticks, useTickCount } from "../axis.ts";
import type { NodeSpan } from "../log/timeline.ts";
import { tickWord } from "../tick-word.ts";
import { isOpen, type NodeRow, type RowProgress, toneOfNode } from "./node-rows.ts";

type Props = {
  rows: readonly NodeRow[];
  leftOut: number;
  /** The node that is shown beside the log. */
  selected: string | undefined;
  /** ms since 1970: when the run began, and its end or the present moment. */
  from: number;
  to: number;
  isMoving: boolean;
  /** Goes to a line of the log, 1-based, and shows a node: whichever there is. */
  onRow: (line: number | undefined, node: string | undefined) => void;
};

const bars: Record<RowProgress, string> = {
  running: "bg-state-running-mark",
  waiting: "bg-chart-ghost",
  done: "bg-chart-quiet",
  failed: "bg-state-failed-mark",
  skipped: "bg-chart-ghost",
  pending: "bg-chart-ghost",
  cancelled: "bg-chart-ghost",
};
/** What a row leads to, and what only its bar shows. */
function aboutRow({ node, span, waitsFor: waits }: NodeRow, error: number | null): string {
  if (span === null) return [`${node}: no lines`, ...(waits === null ? [] : [waits])].join(", ");
  const { lines, firstLine, retries } = span;
  const about = [`${node}: ${counted(lines, "line")}, from line ${firstLine + 1}`];
  if (waits !== null) about.push(waits);
  if (retries.length > 0) about.push(`retried ${retries.length === 1 ? "once" : `${retries.length} times`}`);
  if (error !== null) about.push(`first error at line ${error + 1}`);
  return about.join(", ");
}

/** Of many rows, those around the first that failed are in sight when a run opens or fails. */
function intoSight(row: HTMLLIElement | null): void {
  const box = row?.closest<HTMLElement>("[data-rows]");
  if (row && box) box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

/** A node that wrote nothing for this long is said to be silent. */
const silentAfter = 30_000;

/**
 * The nodes of a run and when each ran, as far as its lines tell that. A row leads to the first line of its node, of one that
 * failed to its first error, and to what the service knows of it.
 */
export function NodesTimeline({ rows, leftOut, selected, from, to, isMoving, onRow }: Props) {
  const length = Math.max(1, to - from, ...rows.map(({ span }) => (span?.to ?? from) - from));
  const place = (ms: number) => `${(Math.min(Math.max(0, ms - from), length) / length) * 100}%`;
  const [axis, tickCount] = useTickCount();
  const count = (progress: RowProgress) =>
    isMoving ? rows.filter((row) => row.progress === progress).length : 0;
  const served = rows.filter((row) => row.served !== null);
  const failed = isMoving ? undefined : rows.find(({ progress }) => progress === "failed");
  const ended = served.filter(({ progress }) => progress === "done" || progress === "skipped").length;
  const counts = [`${count("running")} running`, `${count("waiting")} waiting`].filter(
    (words) => !words.startsWith("0 "),
  );
  return (
    <section aria-label="Nodes" className="border-b py-3 pr-edge-right pl-edge-left">
      <header className="flex items-baseline gap-3 max-sm:hidden">
        <h3 className="font-semibold">Nodes</h3>
        <p className="flex-1 truncate text-muted text-secondary">
          {served.length === 0 ? "reconstructed from the log" : `${ended} of ${served.length} done`}
        </p>
        {counts.length > 0 && <p className="text-muted text-secondary">{counts.join(", ")}</p>}
      </header>
      <div data-rows className="relative max-h-[232px] overflow-y-auto">
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
          {rows.map((row) => {
            const { node, span, progress } = row;
            const isRunning = isMoving && progress === "running";
            const waitsFor = isMoving ? row.waitsFor : null;
            const silence = isRunning && span ? to - span.to : 0;
            const isSilent = silence > silentAfter;
            const error = progress === "failed" ? (span?.firstError ?? null) : null;
            const line = error ?? span?.firstLine;
            return (
              <li key={node} ref={row === failed ? intoSight : undefined} className="flex h-5.5 items-center">
                <Tooltip content={aboutRow(row, error)}>
                  <button
                    type="button"
                    onClick={() => onRow(line === undefined ? undefined : line + 1, row.served?.id)}
                    {...(row.served && { "aria-current": node === selected })}
                    className="flex w-[132px] min-w-0 items-center gap-2 pr-3 text-left sm:w-[35%]"
                  >
                    <StateShape tone={toneOf(progress, isMoving)} />
                    <span
                      className={cx(
                        "flex-1 truncate",
                        waitsFor === null ? "min-w-0" : "min-w-[40%]",
                        node === selected && "font-medium",
                      )}
                    >
                      {node}
                    </span>
                    {row.items !== null && (
                      <span className="hidden shrink-0 text-muted text-secondary sm:inline">{row.items}</span>
                    )}
                    {waitsFor !== null && (
                      <span className="hidden min-w-0 truncate text-secondary text-state-waiting-fg sm:inline">
                        {waitsFor}
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
                  {span && (
                    <Bar
                      {...{ span, progress, isMoving, isSilent, silence, length, place }}
                      end={isRunning || waitsFor !== null ? to : span.to}
                    />
                  )}
                </span>
                <span className="w-[84px] truncate text-right text-muted text-secondary tabular-nums">
                  {lengthOf(
                    row,
                    (isRunning || waitsFor !== null ? to : (span?.to ?? from)) - (span?.from ?? from),
                    isMoving,
                  )}
                </span>
              </li>
            );
          })}
        </ol>
      </div>
      {leftOut > 0 && (
        <p className="pt-1 text-faint text-secondary">{counted(leftOut, "more node")} not shown</p>
      )}
    </section>
  );
}

type BarProps = {
  span: NodeSpan;
  progress: RowProgress;
  isMoving: boolean;
  isSilent: boolean;
  silence: number;
  length: number;
  end: number;
  place: (ms: number) => string;
};

/** When a node worked, in what manner, and when it tried again. */
function Bar({ span, progress, isMoving, isSilent, silence, length, end, place }: BarProps) {
  return (
    <>
      <span
        className={cx(
          "absolute inset-y-0 min-w-0.5 rounded-[1px]",
          bars[isOpen(progress) && !isMoving ? "skipped" : progress],
        )}
        style={{ left: place(span.from), width: share((isSilent ? span.to : end) - span.from, length) }}
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
    </>
  );
}

function lengthOf({ span, progress }: NodeRow, length: number, isMoving: boolean): string {
  if (progress === "skipped") return "skipped";
  if (span !== null) return formatDuration(length, { fine: !(isMoving && isOpen(progress)) });
  return progress === "pending" && !isMoving ? "not run" : "";
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
const toneOf = (progress: RowProgress, isMoving: boolean) =>
  toneOfNode(isOpen(progress) && !isMoving ? "pending" : progress);
