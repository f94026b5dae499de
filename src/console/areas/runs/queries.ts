import { queryOptions } from "@tanstack/react-query";
import { getInputs } from "../../../contract/flow-inputs.ts";
import { getRun, getRunDetails, listRunsBySavedItem } from "../../../contract/run.ts";
import { listOwnerOf, ownerOf } from "../../api/connection.ts";
import { slow, watchList, watchRun } from "../../api/poll.ts";
import { keepUnchanged, keyOf, pollOptions, type ReadKey, reading, readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import { isMoving } from "../../lib/run-state.ts";
import { type RunFilters, runPages } from "./list-queries.ts";
import type { RunRead } from "./worker/run-reader-client.ts";

/** All reads about runs. */
export const runQueries = {
  /** The newest runs that fit (own, `can("runs")`). One page of 100, polled. */
  list: (api: Api, filters: RunFilters = {}) => runPages(api, filters).first,

  /**
   * One run without its log, which the run reader holds. Read in the worker; polled until it has ended.
   * @param inBackground one of many that nobody opened: its first read waits for its turn as well (C-36)
   */
  run: (api: Api, runId: string, { inBackground = false }: { inBackground?: boolean } = {}) => {
    const queryKey: ReadKey = [...keyOf(api, getRun), runId];
    return queryOptions({
      queryKey,
      queryFn: reading<RunRead>(api, inBackground, async (via, how) => {
        const { askForRun } = await import("./worker/read-run.ts");
        return askForRun(api, runId)(via, how);
      }),
      ...pollOptions(api, watchRun),
      structuralSharing: keepUnchanged,
      staleTime: 0,
      meta: { policy: watchRun },
    });
  },

  /** Its inputs, sub-runs and parent (own, `can("run_details")`). */
  details: (api: Api, runId: string) =>
    readOptions(
      api,
      getRunDetails,
      { params: { run_id: runId } },
      {
        policy: watchList,
        moving: (data) => isMoving(data.state) || (data.sub_runs ?? []).some((run) => isMoving(run.state)),
      },
    ),

  /** The newest runs of a flow, ten at most (public, `can("run_map")`). */
  ofFlow: (api: Api, savedItemId: string) =>
    readOptions(
      api,
      listRunsBySavedItem,
      { query: { saved_item_id: savedItemId, ...ownerOf(api) } },
      { policy: slow },
    ),

  /** The named inputs of a flow, in its order (public, `can("flow_inputs")`). */
  inputsOf: (api: Api, savedItemId: string) =>
    readOptions(
      api,
      getInputs,
      { query: { saved_item_id: savedItemId, ...listOwnerOf(api) } },
      { staleTime: 30_000 },
    ),
};
