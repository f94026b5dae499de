import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { runState, runSummary } from "./runs.ts";
import { count, json, maybeText, text, timestamp, utcTime } from "./wire.ts";

/** A file that a run wrote (own, capability `run_files`). `size` in bytes. */
export const runFile = z.object({ name: z.string(), size: count, media_type: z.string() });
export type RunFile = z.output<typeof runFile>;

/** §2.2, as `GET /get_pl_run` answers it. */
export const run = z.object({
  run_id: z.string(),
  user_id: z.nullable(z.string()),
  state: runState,
  created_ts: timestamp,
  /** Null while the run is not finished. */
  finished_ts: z.nullable(timestamp),
  /** The whole log so far, oldest line first. */
  log: z.array(z.string()),
  /** Output name to value; empty until `DONE`. */
  outputs: z.record(z.string(), json),
  saved_item_id: z.optional(z.string()),
  files: z.optional(z.array(runFile)),
});
export type Run = z.output<typeof run>;

/** A run that a node of another run started. */
export const subRun = z.object({
  run_id: z.string(),
  saved_item_id: z.string(),
  saved_item_name: z.string(),
  state: runState,
  created_ts: timestamp,
  finished_ts: z.nullable(timestamp),
  /** The name of the node that started it. */
  node: z.string(),
});
export type SubRun = z.output<typeof subRun>;

/** `GET /runs/{id}` (own): the row with its whole inputs, sub-runs and parent. */
export const runDetails = z.object({
  ...runSummary.shape,
  sub_runs: z.array(subRun),
  parent: z.nullable(
    z.object({ run_id: z.string(), saved_item_id: z.string(), saved_item_name: z.string(), state: runState }),
  ),
  /** Whether it has the mark that keeps it from retention. */
  kept: z.optional(z.boolean()),
  /** Where it waits for a free place of a worker: how many probably get one before it. Null where it does not. */
  places_before: z.optional(z.nullable(count)),
  /**
   * What it waits for people to answer, also in sub-runs and conversations below it, of what the caller may see: the oldest
   * first, a hundred at most. `run_id` and `node`: which run asks, and where; of a conversation null.
   */
  approvals: z.optional(
    z.array(
      z.object({
        inbox_id: z.string(),
        kind: openEnum(["tool_call", "flow"]),
        title: z.string(),
        run_id: z.nullable(z.string()),
        node: z.nullable(z.string()),
        asked_at: utcTime,
      }),
    ),
  ),
  /** Of a run that another went again as: that one and from where. Null where there is none that the caller may see. */
  again_of: z.optional(
    z.nullable(
      z.object({
        run_id: z.string(),
        /** Null: from where it had stopped. */
        node: z.nullable(z.string()),
        item: z.nullable(count),
      }),
    ),
  ),
  /** The runs as which it went again, newest first, ten at most. */
  again_by: z.optional(z.array(z.object({ run_id: z.string(), state: runState, created_ts: timestamp }))),
});
export type RunDetails = z.output<typeof runDetails>;

/** §4.4. Needs one of `user_id` and `project_id`. */
export const getRun = endpoint({
  name: "getRun",
  tier: "core",
  section: "§4.4",
  summary: "Get a pipeline run's state, log and outputs",
  method: "GET",
  path: "/get_pl_run",
  kind: "read",
  query: z.object({ run_id: text, user_id: z.optional(text), project_id: z.optional(text) }),
  response: run,
  conditional: true,
  errors: ["owner_required", "not_found"],
  errorShape: "flat",
});

/** §4.5. Needs one of `user_id` and `project_id`. `success` is false for a run that had already ended. */
export const killPipeline = endpoint({
  name: "killPipeline",
  tier: "core",
  section: "§4.5",
  summary: "Kill a run and all its sub-runs",
  method: "POST",
  path: "/kill_pipeline",
  kind: "write",
  body: z.object({ run_id: text, user_id: maybeText, project_id: maybeText }),
  response: z.object({ success: z.boolean(), run_id: z.string() }),
  errors: ["owner_required", "not_found"],
  errorShape: "flat",
});

/** Own: one run with its inputs, sub-runs and parent, without log and outputs. */
export const getRunDetails = endpoint({
  name: "getRunDetails",
  tier: "own",
  capability: "run_details",
  section: "Own endpoints",
  summary: "Get a run's inputs, sub-runs and parent",
  method: "GET",
  path: "/runs/{run_id}",
  kind: "read",
  params: z.object({ run_id: text }),
  response: runDetails,
  errors: ["not_found"],
});

/** Public: the newest runs of one saved item, ten at most. */
export const listRunsBySavedItem = endpoint({
  name: "listRunsBySavedItem",
  tier: "public",
  capability: "run_map",
  section: "History, teams, sessions",
  summary: "The newest runs of a saved item",
  method: "GET",
  path: "/get_plrun_saved_item_map",
  kind: "read",
  query: z.object({
    saved_item_id: z.optional(text),
    workbook_id: z.optional(text),
    user_id: z.optional(text),
    project_id: z.optional(text),
  }),
  response: z.record(
    z.string(),
    z.array(
      z.object({
        run_id: z.string(),
        state: runState,
        created_ts: timestamp,
        finished_ts: z.nullable(timestamp),
      }),
    ),
  ),
  conditional: true,
  errors: ["not_found"],
});
