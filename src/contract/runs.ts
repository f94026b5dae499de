import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { commaList, count, jsonObject, nextCursor, page, person, text, time, timestamp } from "./wire.ts";

/** The state of a run on the wire (§3.2); `QUEUED` and `TERMINATING` come from other services only. */
export const runState = openEnum([
  "STARTED",
  "RUNNING",
  "TERMINATED",
  "FAILED",
  "DONE",
  "QUEUED",
  "TERMINATING",
]);

/** One row of `GET /runs` (own). */
export const runSummary = z.object({
  run_id: z.string(),
  saved_item_id: z.string(),
  saved_item_name: z.string(),
  state: runState,
  created_ts: timestamp,
  finished_ts: z.nullable(timestamp),
  user_id: z.nullable(z.string()),
  /** The same person by name. */
  creator: z.optional(z.nullable(person)),
  /** The team, if `project_id` was given at the start. */
  project_id: z.nullable(z.string()),
  /** Input name to value; long values may be cut. */
  inputs: jsonObject,
  /** Why it failed, in a sentence; null unless `FAILED`. */
  error: z.nullable(z.string()),
  parent_run_id: z.nullable(z.string()),
  log_lines: count,
  /** A question of it waits in the inbox; absent where the service does not say. A sub-run's questions are its own. */
  waiting_for_people: z.optional(z.boolean()),
});
export type RunSummary = z.output<typeof runSummary>;

/** Own: all runs that the caller may see, newest first. */
export const listRuns = endpoint({
  name: "listRuns",
  tier: "own",
  capability: "runs",
  section: "History, teams, sessions",
  summary: "List runs",
  method: "GET",
  path: "/runs",
  kind: "read",
  query: z.object({
    /** One or several states, separated by commas. */
    state: z.optional(commaList),
    saved_item_id: z.optional(text),
    /** Case-insensitive part of the run id, the flow's name or an input's value. */
    search: z.optional(text),
    /** Inclusive. */
    created_after: z.optional(time),
    /** Exclusive. */
    created_before: z.optional(time),
    team_id: z.optional(text),
    ...page,
  }),
  response: z.object({ runs: z.array(runSummary), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});
