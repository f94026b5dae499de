import type { Received } from "../../../contract/define.ts";
import type { RunSummary } from "../../../contract/runs.ts";
import type { Provenance } from "../../lib/history/known-run.ts";
import { isMoving } from "../../lib/run-state.ts";
import { shownName } from "../../lib/shownName.ts";
import { parseTime } from "../../lib/time/format.ts";
import type { PersonIn } from "../directory/index.ts";

/** Who told us of a run: the service's list, else how this browser came to know it. */
export type RunSource = "service" | Provenance;

/** A run as far as the service or this browser knows it. Everything but the id may be missing. Times are ISO 8601. */
export interface RunRow {
  readonly runId: string;
  readonly flowId: string | null;
  readonly flowName: string | null;
  /** One of `shownRunStates`, or what another service says. */
  readonly state: string | null;
  readonly createdTs: string | null;
  readonly finishedTs: string | null;
  readonly userId: string | null;
  /** The team that it belongs to; null or undefined: none, or not told. */
  readonly teamId?: string | null | undefined;
  /** The same person by name, where the service tells it. */
  readonly user?: PersonIn | null | undefined;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly error: string | null;
  readonly source: RunSource;
}

/** What a run is called: its flow, else the id of its flow, else its own. */
export const runName = (run: Pick<RunRow, "flowName" | "flowId" | "runId">): string =>
  shownName(run.flowName || run.flowId || run.runId);

/** How long it ran, or has run at `now`, in ms; null where the times do not tell. */
export function runLength(
  run: Pick<RunRow, "state" | "createdTs" | "finishedTs">,
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

/** A row of `GET /runs`; null where not even its id could be read. */
export function rowOfService(run: Received<RunSummary>): RunRow | null {
  if (!run.run_id) return null;
  return {
    runId: run.run_id,
    flowId: run.saved_item_id ?? null,
    flowName: run.saved_item_name ?? null,
    state: (run.waiting_for_people && run.state === "RUNNING" ? "ASKING" : run.state) ?? null,
    createdTs: run.created_ts ?? null,
    finishedTs: run.finished_ts ?? null,
    userId: run.user_id ?? null,
    teamId: run.project_id,
    user: run.creator,
    inputs: run.inputs ?? {},
    error: run.error ?? null,
    source: "service",
  };
}
