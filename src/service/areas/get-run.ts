import type { endpoints } from "../../contract/endpoints.ts";
import type { Context } from "../context.ts";
import { resolveActor } from "../permission/actor.ts";
import { mayReadExecution } from "../permission/executions.ts";
import type { RunParts } from "../pipelines/run-parts.ts";
import type { RunHead } from "../pipelines/run-reader.ts";
import { ServiceError } from "../service-error.ts";
import type { Handler, Lasting } from "./handler.ts";
import { isFresh } from "./interactions.ts";
import { plainId } from "./plain-id.ts";
import { runOwner, wireState } from "./run-rows.ts";
import { timestamp } from "./times.ts";

/** The same answer for a run that is not there and one that is not the caller's. */
export function noRun(): ServiceError {
  return new ServiceError("not_found", { message: "There is no such run.", param: "run_id" });
}

type GetRun = Handler<typeof endpoints.getRun>;

/**
 * §4.4. The ETag is the run's revision, which one row tells: a poll that brings nothing new reads no log. The log goes
 * from the database to the answer as the JSON text that the database makes.
 */
export const getRun: GetRun = Object.assign(
  async (...[context, request]: Parameters<GetRun>) => {
    resolveActor(request.caller, request.query, "personal");
    return await answerRun(context, request, context.runs.head(request.query.run_id));
  },
  {
    /** The credential and the row are read at the same time; whoever may not see the row learns nothing of it. */
    ahead(context: Context, search: URLSearchParams): GetRun {
      const id = search.get("run_id");
      if (id === null || !plainId.test(id)) return getRun;
      const head = context.runs.head(id);
      // A refused credential never asks for it.
      head.catch(() => {});
      return async (_, request) => {
        resolveActor(request.caller, request.query, "personal");
        return await answerRun(context, request, head);
      };
    },
  },
);

async function answerRun(
  context: Context,
  { caller, ifNoneMatch }: Parameters<GetRun>[1],
  head: Promise<RunHead | undefined>,
): ReturnType<GetRun> {
  const run = await head;
  if (!run || !mayReadExecution(caller, runOwner(run))) throw noRun();
  const etag = String(run.revision);
  const lasting = lastingOf(context, run);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag, ...lasting };
  const json = await context.runs.answer(run, (parts) => showRunJson(run, parts), context.store);
  if (json !== null) return { type: "json", etag, json, ...lasting };
  return {
    type: "pieces",
    etag,
    pieces: showRunPieces(run, context.runs.parts(run, context.store)),
    ...lasting,
  };
}

/** Nothing of a run changes after its end, until it is removed; before that each change is another revision. */
function lastingOf({ runs }: Context, run: RunHead): Lasting {
  if (run.finished_at !== null) return { holds: () => runs.remembers(run) };
  return { unchanged: async () => (await runs.head(run.id))?.revision === run.revision };
}

function showRunJson(run: RunHead, { outputs, log, files }: RunParts): string {
  return `${showHead(run)},"outputs":${outputs},"files":${files},"log":${log}}`;
}

async function* showRunPieces(run: RunHead, parts: RunParts<AsyncIterable<string>>): AsyncGenerator<string> {
  yield `${showHead(run)},"outputs":`;
  yield* parts.outputs;
  yield ',"files":';
  yield* parts.files;
  yield ',"log":';
  yield* parts.log;
  yield "}";
}

/** An object that is still open. */
function showHead(run: RunHead): string {
  const head = JSON.stringify({
    run_id: run.id,
    saved_item_id: run.subject_id,
    user_id: run.user_id,
    state: wireState(run.state, run.started_at),
    created_ts: timestamp(run.created_at),
    finished_ts: run.finished_at === null ? null : timestamp(run.finished_at),
  });
  return head.slice(0, -1);
}
