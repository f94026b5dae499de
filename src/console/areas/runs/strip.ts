import { describeState, shownRunStates, type Tone } from "../../../contract/states.ts";
import { parseTime } from "../../lib/time/format.ts";
import { type RunRow, runLength } from "./run-row.ts";

export interface Bar {
  readonly runId: string;
  readonly tone: Tone;
  /** Height from 0 to 1 of the scale. */
  readonly share: number;
  /** When it began, ms since 1970. */
  readonly at: number;
  readonly length: number;
  /** Longer than the scale: its top is not drawn, and looks like it. */
  readonly isCut: boolean;
}

/** The strip over the runs list: one bar per run in order of start, height by duration. */
export interface Strip {
  readonly bars: readonly Bar[];
  readonly failed: number;
  /** ms; null without an ended run. */
  readonly median: number | null;
  readonly slowest: number | null;
  /** The one grid line, ms. */
  readonly grid: number | null;
  readonly scale: number;
  /** The error that most of the failed runs share, where at least two do. */
  readonly commonError: { readonly text: string; readonly count: number } | null;
}

/** More runs than this are not drawn: the newest are. */
export const mostBars = 120;

/** Works the strip out at the moment `now` (ms). Runs without a readable start are left out of it. */
export function makeStrip(runs: readonly RunRow[], now: number): Strip {
  const bars = runs
    .flatMap((run) => {
      const at = parseTime(run.createdTs);
      if (at === null) return [];
      return [
        {
          runId: run.runId,
          tone: describeState(shownRunStates, run.state).tone,
          at,
          length: runLength(run, now) ?? 0,
        },
      ];
    })
    .sort((a, b) => a.at - b.at)
    .slice(-mostBars);
  const lengths = bars.map((bar) => bar.length).sort((a, b) => a - b);
  const scale = scaleOf(lengths);
  return {
    bars: bars.map((bar) => ({ ...bar, share: Math.min(1, bar.length / scale), isCut: bar.length > scale })),
    failed: runs.filter((run) => describeState(shownRunStates, run.state).tone === "failed").length,
    median: lengths[Math.floor((lengths.length - 1) / 2)] ?? null,
    slowest: lengths.at(-1) ?? null,
    grid: gridLine(scale),
    scale,
    commonError: commonError(runs),
  };
}

/**
 * The length of a full bar, ms, from lengths in order: the longest, but at most three times what nine in ten stay
 * below, so that one that runs for an hour does not flatten all the others.
 */
export function scaleOf(lengths: readonly number[]): number {
  const longest = lengths.at(-1) ?? 1;
  const usual = lengths[Math.floor((lengths.length - 1) * 0.9)] ?? longest;
  return Math.max(1, lengths.length < 10 ? longest : Math.min(longest, usual * 3));
}

const roundLengths = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 43_200, 86_400,
];

/** The largest round length that stands in the upper part of the strip. */
function gridLine(scale: number): number | null {
  const seconds = roundLengths.filter((one) => one * 1000 <= scale * 0.7).at(-1);
  return seconds === undefined ? null : seconds * 1000;
}

function commonError(runs: readonly RunRow[]): Strip["commonError"] {
  const counts = new Map<string, number>();
  for (const run of runs) if (run.error) counts.set(run.error, (counts.get(run.error) ?? 0) + 1);
  let most: Strip["commonError"] = null;
  for (const [text, count] of counts) if (count > 1 && count > (most?.count ?? 0)) most = { text, count };
  return most;
}

/** Where the hours fall between the bars: at most `most` marks, each at the first bar that began after a round hour. */
export function hourMarks(
  bars: readonly Bar[],
  most: number,
  zoneOffset: (ms: number) => number,
): readonly { at: number; index: number }[] {
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return [];
  const hour = 3_600_000;
  const step = [1, 2, 3, 6, 12, 24, 72, 168]
    .map((n) => n * hour)
    .find((one) => (last.at - first.at) / one <= most);
  if (step === undefined) return [];
  const marks: { at: number; index: number }[] = [];
  const local = (ms: number) => ms + zoneOffset(ms);
  let due = (Math.floor(local(first.at) / step) + 1) * step;
  bars.forEach((bar, index) => {
    if (local(bar.at) < due) return;
    const passed = Math.floor(local(bar.at) / step) * step;
    marks.push({ at: passed - zoneOffset(bar.at), index });
    due = passed + step;
  });
  return marks;
}
