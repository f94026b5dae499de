import { formatDuration } from "../../lib/time/format.ts";
import { type RunRow, runLength } from "./run-row.ts";

/** How long a flow usually takes, in ms: the middle half of its runs that were done. */
export interface Usual {
  readonly from: number;
  readonly to: number;
}

/** Fewer runs than this say nothing about what is usual. */
const fewest = 3;
const looked = 20;

/** The usual time by the newest runs that were done; null where there are too few. */
export function usualTime(runs: readonly RunRow[]): Usual | null {
  const lengths = runs
    .filter((run) => run.state === "DONE")
    .slice(0, looked)
    .flatMap((run) => runLength(run, 0) ?? [])
    .sort((a, b) => a - b);
  if (lengths.length < fewest) return null;
  const at = (share: number) => lengths[Math.round((lengths.length - 1) * share)] ?? 0;
  return { from: at(0.25), to: at(0.75) };
}

/** `usually 3 m 40 s to 4 m 30 s`, or one length where both read alike. */
export function usualWords({ from, to }: Usual): string {
  const word = (ms: number) => formatDuration(ms, { fine: ms < 10_000 });
  return word(from) === word(to) ? `usually ${word(to)}` : `usually ${word(from)} to ${word(to)}`;
}
