import { normalizeLine } from "../../lib/diff/normalize-line.ts";
import { parseTime } from "../../lib/time/format.ts";
import { counted } from "../../lib/words.ts";
import { type RunRow, runName } from "../runs/index.ts";

/** Failed runs that give the same reason. */
export interface Cause {
  readonly key: string;
  /** The reason in the newest run's words. */
  readonly title: string;
  /** Newest first; at least one. */
  readonly runs: readonly RunRow[];
  readonly newest: RunRow;
  /** When the first of them ended, ms since 1970. */
  readonly since: number;
}

/** What failed in a day. */
export interface Failures {
  readonly open: readonly Cause[];
  /** Those after which a run of the same flow went through. */
  readonly mended: readonly Cause[];
}

/** A day in ms. */
export const dayMs = 86_400_000;

/** When a run ended, or began where its end is not known; ms since 1970. */
export const endOf = (run: RunRow): number => parseTime(run.finishedTs) ?? parseTime(run.createdTs) ?? 0;
/** When a run began, ms since 1970. */
export const startOf = (run: RunRow): number => parseTime(run.createdTs) ?? 0;

/**
 * The runs that failed in the day before `now` (ms), by their reason: numbers, times and ids in it do not count. One is
 * mended by a run of the same flow that began later and was done.
 */
export function groupFailures(rows: readonly RunRow[], now: number): Failures {
  const groups = new Map<string, RunRow[]>();
  const newestFirst = [...rows].sort((a, b) => endOf(b) - endOf(a));
  for (const run of newestFirst) {
    if (run.state !== "FAILED" || now - endOf(run) > dayMs) continue;
    const key = keyOf(run);
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  const causes = [...groups].flatMap(([key, runs]) => {
    const [newest] = runs;
    if (!newest) return [];
    return [{ key, title: titleOf(newest), runs, newest, since: Math.min(...runs.map(endOf)) }];
  });
  const isMended = mendedIn(rows);
  return {
    open: causes.filter((cause) => !cause.runs.every(isMended)),
    mended: causes.filter((cause) => cause.runs.every(isMended)),
  };
}

/** Whether a run of the same flow that is among these began later and was done. */
function mendedIn(rows: readonly RunRow[]): (run: RunRow) => boolean {
  const lastDone = new Map<string, number>();
  for (const run of rows) {
    if (run.state !== "DONE" || run.flowId === null) continue;
    lastDone.set(run.flowId, Math.max(lastDone.get(run.flowId) ?? 0, startOf(run)));
  }
  return (run) => run.flowId !== null && (lastDone.get(run.flowId) ?? 0) > startOf(run);
}

/** Of each flow the failure that began last, where none of these runs mends it. @param rows newest first */
export function unmendedOf(rows: readonly RunRow[]): readonly RunRow[] {
  const isMended = mendedIn(rows);
  const byFlow = new Map<string, RunRow>();
  for (const run of rows)
    if (run.state === "FAILED" && run.flowId !== null && !byFlow.has(run.flowId) && !isMended(run))
      byFlow.set(run.flowId, run);
  return [...byFlow.values()];
}

function keyOf(run: RunRow): string {
  if (run.error === null || run.error === "") return `no reason ${run.flowId ?? run.runId}`;
  return normalizeLine(run.error).replaceAll(/\d+/g, "#");
}

const titleOf = (run: RunRow): string => run.error || `${runName(run)} failed`;

/** `3 runs of Carrier rate refresh`, `5 runs of Carrier rate refresh and 2 other flows`. */
export function whichRuns(runs: readonly RunRow[]): string {
  const names = [...new Set(runs.map(runName))];
  const others = names.length - 1;
  return [
    counted(runs.length, "run"),
    `of ${names[0] ?? ""}`,
    others === 1 ? `and ${names[1]}` : others > 1 ? `and ${others} other flows` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
