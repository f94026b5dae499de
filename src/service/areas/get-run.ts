import type { endpoints } from "../../contract/endpoints.ts";
import { resolveActor } from "../permission/actor.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { listRunFiles } from "../pipelines/run-files.ts";
import { ServiceError } from "../service-error.ts";
import type { Store } from "../store/store.ts";
import type { Handler } from "./handler.ts";
import { isFresh } from "./interactions.ts";
import { wireState } from "./run-rows.ts";
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
  const run = await readRun(context.store, query.run_id);
  if (!run || !mayReadExecution(caller, { userId: run.user_id, teamId: run.team_id })) throw noRun();
  const etag = String(run.revision);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  const log = run.log_count === 0 ? "[]" : await readLogJson(context.store, run.id, run.log_count);
  const files = await listRunFiles(context.store.db, run.id);
  const head = JSON.stringify({
    run_id: run.id,
    saved_item_id: run.subject_id,
    user_id: run.user_id,
    state: wireState(run.state, run.started_at),
    created_ts: timestamp(run.created_at),
    finished_ts: run.finished_at === null ? null : timestamp(run.finished_at),
    files: files.map(({ name, size, mediaType }) => ({ name, size, media_type: mediaType })),
  });
  return { type: "json", etag, json: `${head.slice(0, -1)},"outputs":${run.outputs},"log":${log}}` };
};

interface RunHead {
  readonly id: string;
  readonly subject_id: string;
  readonly user_id: string | null;
  readonly team_id: string | null;
  readonly state: Parameters<typeof wireState>[0];
  readonly revision: number;
  readonly log_count: number;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  /** JSON text: `{}` until the run is done. */
  readonly outputs: string;
}

/** Named statements are parsed and planned once for each connection. */
async function readRun({ pool }: Store, id: string): Promise<RunHead | undefined> {
  const { rows } = await pool.query<RunHead>({
    name: "get_run",
    text: `select id, subject_id, user_id, team_id, state, revision, log_count, created_at, started_at, finished_at,
                  case when state = 'done' then coalesce(result -> 'outputs', '{}')::text else '{}' end as outputs
             from executions where id = $1 and kind = 'pipeline'`,
    values: [id],
  });
  return rows[0];
}

/** Lines of the log up to a number, so that log and revision are of the same moment. */
async function readLogJson({ pool }: Store, id: string, count: number): Promise<string> {
  const { rows } = await pool.query<{ log: string }>({
    name: "get_run_log",
    text: `select coalesce(json_agg(text order by seq), '[]')::text as log from log_lines
            where execution_id = $1 and seq <= $2`,
    values: [id, count],
  });
  return rows[0]?.log ?? "[]";
}
