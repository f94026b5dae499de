import { mutationOptions, queryOptions } from "@tanstack/react-query";
import {
  getRun,
  getRunDetails,
  killPipeline,
  listRuns,
  listRunsBySavedItem,
  startPipeline,
} from "../../../contract/runs.ts";
import type { RunRead } from "../../workers/run-reader-client.ts";
import { type Api, ownerOf, teamScope } from "../api.ts";
import { call, type DataOf } from "../client.ts";
import { ConsoleError, isPassing } from "../errors.ts";
import { slow, watchList, watchRun } from "../poll.ts";
import { keepUnchanged, keyOf, pollOptions, type ReadKey, readOptions } from "../read.ts";
import { isMoving } from "../run-state.ts";

export { isMoving };

/** Filters of the runs list; all of them are the service's. `state`: one or several, separated by commas. */
export interface RunFilters {
  readonly state?: string;
  readonly saved_item_id?: string;
  readonly search?: string;
  /** ISO 8601 with zone, inclusive. */
  readonly created_after?: string;
  /** ISO 8601 with zone, exclusive. */
  readonly created_before?: string;
}

/** What a person starts. */
export interface RunStart {
  readonly savedItemId: string;
  readonly savedItemName: string | null;
  /** The whole body of the call. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The team it belongs to; null: only to the person. */
  readonly projectId: string | null;
}

const anyMoving = (data: DataOf<typeof listRuns>) => (data.runs ?? []).some((run) => isMoving(run.state));
const pageSize = 100;

/** All reads about runs. */
export const runQueries = {
  /** The newest runs that fit (own, `can("runs")`). One page of 100, polled. */
  list: (api: Api, filters: RunFilters = {}) =>
    readOptions(
      api,
      listRuns,
      { query: { ...filters, ...teamScope(api), page_size: pageSize } },
      { policy: watchList, moving: anyMoving },
    ),

  /** One page after the first, from the `next_cursor` before it; read once, as older runs have ended. */
  older: (api: Api, filters: RunFilters, cursor: string) =>
    queryOptions({
      queryKey: [...keyOf(api, listRuns), "older", filters, cursor],
      queryFn: ({ signal }) =>
        call(
          api,
          listRuns,
          { query: { ...filters, ...teamScope(api), page_size: pageSize, cursor } },
          { signal },
        ),
      staleTime: 60_000,
    }),

  /**
   * One run without its log, which the run reader holds. Read in the worker; polled until it has ended.
   * @param inBackground one of many that nobody opened: its first read waits for its turn as well (C-36)
   */
  run: (api: Api, runId: string, { inBackground = false }: { inBackground?: boolean } = {}) => {
    const queryKey: ReadKey = [...keyOf(api, getRun), runId];
    return queryOptions({
      queryKey,
      queryFn: async ({ signal, client }) => {
        const before = client.getQueryData<RunRead>(queryKey);
        const { createRunReader } = await import("../../workers/run-reader-client.ts");
        const reader = api.runReader(createRunReader);
        const now = await reader.read(runId, { signal, poll: inBackground || before !== undefined });
        // An end is an end (§3.2): a late word from before it does not make the run go on (C-31).
        return before && !before.moving && now.moving ? { ...before, settled: true } : now;
      },
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
};

/** All acts on runs. Pages invalidate nothing: each act names what it changes. */
export const runMutations = {
  /** Starts a run. It is in the history before the call goes out; the result is the new run's id. */
  start: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, startPipeline)],
      mutationFn: async (start: RunStart): Promise<{ runId: string; savedItemId: string }> => {
        const { savedItemId, savedItemName, inputs, projectId } = start;
        const record = await api.history.begin({ savedItemId, savedItemName, inputs, projectId });
        try {
          const { user_id } = ownerOf(api);
          const { data, requestId } = await call(
            api,
            startPipeline,
            {
              query: {
                saved_item_id: savedItemId,
                ...(user_id ? { user_id } : {}),
                ...(projectId ? { project_id: projectId } : {}),
              },
              body: inputs,
            },
            { idempotencyKey: record.id },
          );
          if (!data.run_id) {
            throw new ConsoleError({ kind: "contract", path: "run_id", requestId }, startPipeline.name);
          }
          await api.history.started(record.id, data.run_id);
          return { runId: data.run_id, savedItemId };
        } catch (error) {
          const surely = error instanceof ConsoleError && error.kind === "http" && !isPassing(error);
          const message =
            error instanceof ConsoleError && error.failure.kind === "http" ? error.failure.message : null;
          await api.history.failed(record.id, surely, message);
          throw error;
        }
      },
      onSuccess: (_result, _start, _made, { client }) => {
        api.polling.acted();
        return client.invalidateQueries({ queryKey: keyOf(api, listRuns) });
      },
    }),

  /** Asks to end a run and all its sub-runs. `ended` is false where it had ended already. */
  kill: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, killPipeline)],
      mutationFn: async (runId: string): Promise<{ ended: boolean }> => {
        const { data } = await call(api, killPipeline, { body: { run_id: runId, ...ownerOf(api) } });
        return { ended: data.success === true };
      },
      onSuccess: async (_result, runId, _made, { client }) => {
        api.polling.acted();
        await Promise.all([
          client.invalidateQueries({ queryKey: [...keyOf(api, getRun), runId] }),
          client.invalidateQueries({ queryKey: keyOf(api, getRunDetails) }),
          client.invalidateQueries({ queryKey: keyOf(api, listRuns) }),
        ]);
      },
    }),
};
