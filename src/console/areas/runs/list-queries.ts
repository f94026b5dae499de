import type { Received } from "../../../contract/define.ts";
import { listRuns, type RunSummary } from "../../../contract/runs.ts";
import type { DataOf } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { paged, rowsIn } from "../../api/paged.ts";
import { watchList } from "../../api/poll.ts";
import type { Api } from "../../lib/api.tsx";
import { isMoving } from "../../lib/run-state.ts";

/** Filters of the runs list; all of them are the service's. `state`: one or several, separated by commas. */
export interface RunFilters {
  readonly state?: string;
  readonly saved_item_id?: string;
  readonly search?: string;
  /** ISO 8601 with zone, inclusive. */
  readonly created_after?: string;
}

const anyMoving = (data: DataOf<typeof listRuns>) => (data.runs ?? []).some((run) => isMoving(run.state));
const pageSize = 100;

/** A run of a list as it may really come; one without an id is left out. */
type RunIn = Received<RunSummary> & { readonly run_id: string };

const runPage = rowsIn<typeof listRuns, RunIn>("runs", "run_id");

/** The runs that fit, newest first, page by page (own, `can("runs")`). */
export const runPages = (api: Api, filters: RunFilters = {}) =>
  paged(
    api,
    listRuns,
    (page) => ({ query: { ...filters, ...teamScope(api), page_size: pageSize, ...page } }),
    runPage,
    { policy: watchList, moving: anyMoving },
  );
