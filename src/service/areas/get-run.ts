import type { endpoints } from "../../contract/endpoints.ts";
import { resolveActor } from "../permission/actor.ts";
import { mayReadExecution } from "../permission/executions.ts";
import type { RunHead, RunParts } from "../pipelines/run-reader.ts";
import { ServiceError } from "../service-error.ts";
import type { Handler } from "./handler.ts";
import { isFresh } from "./interactions.ts";
import { runOwner, wireState } from "./run-rows.ts";
import { timestamp } from "./times.ts";

/** The same answer for a run that is not there and one that is not the caller's. */
export function noRun(): ServiceError {
  return new ServiceError("not_found", { message: "There is no such run.", param: "run_id" });
}

/**
 * §4.4. The ETag is the run's revision, which one row tells: a poll that brings nothing new reads no log. The log goes
 * from the database to the answer as the JSON text that the database makes.
 */
export const getRun: Handler<typeof endpoints.getRun> = async (context, { caller, query, ifNoneMatch }) => {
  resolveActor(caller, query, "personal");
  const run = await context.runs.head(query.run_id);
  if (!run || !mayReadExecution(caller, runOwner(run))) throw noRun();
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  return { type: "json", etag, json: await context.runs.answer(run, (parts) => showRunJson(run, parts)) };
};

function showRunJson(run: RunHead, { outputs, log, files }: RunParts): string {
  const head = JSON.stringify({
    run_id: run.id,
    saved_item_id: run.subject_id,
    user_id: run.user_id,
    state: wireState(run.state, run.started_at),
    created_ts: timestamp(run.created_at),
    finished_ts: run.finished_at === null ? null : timestamp(run.finished_at),
  });
  return `${head.slice(0, -1)},"outputs":${outputs},"files":${files},"log":${log}}`;
}
