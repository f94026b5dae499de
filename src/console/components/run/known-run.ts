import { describeState, runStates } from "../../../contract/states.ts";
import { parseTime } from "../time/format.ts";

/** Who told us of a run: the service's list, this browser that started or opened it, or a file. */
export type RunSource = "service" | "here" | "opened" | "imported";

/** A run as far as the service or this browser knows it. Everything but the id may be missing. Times are ISO 8601. */
export interface KnownRun {
  readonly runId: string;
  readonly flowId: string | null;
  readonly flowName: string | null;
  readonly state: string | null;
  readonly createdTs: string | null;
  readonly finishedTs: string | null;
  readonly userId: string | null;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly error: string | null;
  readonly source: RunSource;
}

/** What a run is called: its flow, else the id of its flow, else its own. */
export const runName = (run: Pick<KnownRun, "flowName" | "flowId" | "runId">): string =>
  run.flowName || run.flowId || run.runId;

/** Whether it may still change. */
export const isMoving = (state: string | null | undefined): boolean =>
  !describeState(runStates, state).terminal;

/** How long it ran, or has run at `now`, in ms; null where the times do not tell. */
export function runLength(
  run: Pick<KnownRun, "state" | "createdTs" | "finishedTs">,
  now: number,
): number | null {
  const from = parseTime(run.createdTs);
  if (from === null) return null;
  const to = parseTime(run.finishedTs) ?? (isMoving(run.state) ? now : null);
  return to === null ? null : Math.max(0, to - from);
}

/** An input's value in a few words: texts as they are, everything else as JSON. */
export function valueWord(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  return JSON.stringify(value) ?? "";
}

/** The values of the first inputs that have one, for a row. */
export function firstInputs(inputs: Readonly<Record<string, unknown>>, most = 3): string {
  const words: string[] = [];
  for (const key of Object.keys(inputs)) {
    const word = valueWord(inputs[key]).trim();
    if (word !== "") words.push(word.slice(0, 80));
    if (words.length === most) break;
  }
  return words.join(" · ");
}
