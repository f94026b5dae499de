import { parseTime } from "../../../lib/time/format.ts";
import { type RunRow, runName, valueWord } from "../run-row.ts";
import { type RunsSearch, spans } from "../search.ts";
import { isInView } from "./filters.ts";

/** Whether a run that only this browser knows fits the filters that the service applies to its own. */
export function matchesFilters(run: RunRow, search: RunsSearch, now: number, me: string | null): boolean {
  if (!isInView(run, search.view ?? "all", now, me)) return false;
  if (search.state !== undefined && run.state !== search.state) return false;
  if (search.flow !== undefined && run.flowId !== search.flow) return false;
  if (search.started !== undefined && now - (parseTime(run.createdTs) ?? 0) > spans[search.started])
    return false;
  if (search.q === undefined) return true;
  const wanted = search.q.toLowerCase();
  const words = [run.runId, runName(run), run.error ?? "", ...Object.values(run.inputs).map(valueWord)];
  return words.some((word) => word.toLowerCase().includes(wanted));
}
