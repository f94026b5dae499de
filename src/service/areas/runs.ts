import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { RunDetails } from "../../contract/run.ts";
import { loadPeople } from "../agents/agent-view.ts";
import { nothingChanged, type Recorded, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { placesBefore } from "../engine/places-before.ts";
import { resolveActor } from "../permission/actor.ts";
import { mayKill, mayReadExecution } from "../permission/executions.ts";
import { inputPieces } from "../pipelines/run-parts.ts";
import { ServiceError } from "../service-error.ts";
import { anyIn } from "../store/prepared.ts";
import { readAgain } from "./again-pair.ts";
import { getRun, noRun } from "./get-run.ts";
import type { Handlers } from "./handler.ts";
import { replyInSteps } from "./long-list.ts";
import { inOrder, readNewest } from "./newest.ts";
import { listedRuns } from "./run-list.ts";
import {
  flowName,
  inputsAreLong,
  runOwner,
  selectRuns,
  showRun,
  wholeInputs,
  wireState,
} from "./run-rows.ts";
import { startPipeline } from "./start-pipeline.ts";
import { timestamp } from "./times.ts";
import { approvalsInTree } from "./tree-approvals.ts";

type Runs = Pick<
  Handlers<typeof endpoints>,
  "startPipeline" | "getRun" | "killPipeline" | "listRuns" | "getRunDetails" | "listRunsBySavedItem"
>;

/** §4.5. Of a kill and an end at the same time one happens; killing what is over answers `success: false`. */
const killPipeline: Runs["killPipeline"] = async (context, request) => {
  const { caller, body } = request;
  const actor = resolveActor(caller, body, "personal");
  const run = await context.store.db
    .selectFrom("executions")
    .select(["user_id", "team_id", flowName.as("name")])
    .where("id", "=", body.run_id)
    .where("kind", "=", "pipeline")
    .executeTakeFirst();
  if (!run || !mayKill(caller, runOwner(run))) throw noRun();
  let recorded: Recorded = nothingChanged();
  const { killed } = await context.engine.kill(body.run_id, undefined, async (tx) => {
    const object = { kind: "run", id: body.run_id, name: run.name } as const;
    const event = { action: "run.kill", object, teamId: run.team_id, forUserId: actor.userId } as const;
    recorded = await record(tx, request, event);
  });
  return { type: "body", body: { success: killed, run_id: body.run_id }, recorded };
};

/** Inputs that a list shows the beginnings of; with more it is long. */
const manyInputs = 1_000;

/** Own: all runs that the caller may see, newest first. */
const listRuns: Runs["listRuns"] = async (context, { caller, query, ifNoneMatch }) => {
  const { db } = context.store;
  const page = await readNewest(db, listedRuns(caller, query), query);
  const rows = await context.listedRuns(db, page.ids);
  const people = await loadPeople(
    db,
    rows.map((row) => row.user_id),
  );
  const body = { runs: rows.map((row) => showRun(row, people)), next_cursor: page.next_cursor };
  const inputs = rows.reduce((count, row) => count + Object.keys(row.inputs ?? {}).length, 0);
  const inSteps = inputs > manyInputs ? await replyInSteps(body, ifNoneMatch) : null;
  return inSteps ?? { type: "body", body };
};

/** Own: one run with its whole inputs, the run above it, and the runs that its nodes started. */
const getRunDetails: Runs["getRunDetails"] = async (context, { caller, params }) => {
  const { db } = context.store;
  const row = await selectRuns(db, wholeInputs)
    .select(inputsAreLong.as("inputs_are_long"))
    .select(["parent.subject_id as parent_flow", "parent.state as parent_state"])
    .leftJoin("kept_runs", "kept_runs.execution_id", "executions.id")
    .select("kept_runs.kept_at")
    .leftJoin("runs_again", "runs_again.run_id", "executions.id")
    .select(["runs_again.origin_id", "runs_again.from_node", "runs_again.from_item"])
    .select(["parent.started_at as parent_started", sql<string>`parent.input ->> 'name'`.as("parent_name")])
    .where("executions.id", "=", params.run_id)
    .executeTakeFirst();
  if (!row || !mayReadExecution(caller, runOwner(row))) throw noRun();
  const children = await db
    .selectFrom("executions")
    .select(["id", "subject_id", "state", "created_at", "started_at", "finished_at", "parent_step"])
    .select(flowName.as("name"))
    .where("parent_id", "=", row.id)
    .where("kind", "=", "pipeline")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const parent =
    row.parent_id === null || row.parent_state === null
      ? null
      : {
          run_id: row.parent_id,
          saved_item_id: row.parent_flow ?? "",
          saved_item_name: row.parent_name ?? "",
          state: wireState(row.parent_state, row.parent_started),
        };
  const sub_runs = children.map((child) => ({
    run_id: child.id,
    saved_item_id: child.subject_id,
    saved_item_name: child.name,
    state: wireState(child.state, child.started_at),
    created_ts: timestamp(child.created_at),
    finished_ts: child.finished_at === null ? null : timestamp(child.finished_at),
    node: child.parent_step?.split("/")[0] ?? "",
  }));
  const people = await loadPeople(db, [row.user_id]);
  const places_before = row.finished_at === null ? await placesBefore(db, row.id) : null;
  const approvals = row.finished_at === null ? await approvalsInTree(context, caller, row.id) : [];
  const pair = await readAgain(db, caller, row);
  const more = { sub_runs, parent, kept: row.kept_at !== null, places_before, approvals, ...pair };
  const body = { ...showRun(row, people), ...more };
  return row.inputs_are_long
    ? { type: "pieces", pieces: detailPieces(context, body) }
    : { type: "body", body };
};

/** A run with long inputs as JSON text. */
async function* detailPieces(
  { store }: Context,
  { inputs: _, ...shown }: RunDetails,
): AsyncGenerator<string> {
  yield `${JSON.stringify(shown).slice(0, -1)},"inputs":`;
  yield* inputPieces(store, shown.run_id);
  yield "}";
}

/** Public: the ten newest runs of a saved item that the caller may see. */
const listRunsBySavedItem: Runs["listRunsBySavedItem"] = async (context, { caller, query }) => {
  resolveActor(caller, query, "never");
  const savedItemId = query.saved_item_id;
  if (savedItemId === undefined) {
    const message = "saved_item_id is required: this service has no workbooks.";
    throw new ServiceError("invalid_parameter", { message, param: "saved_item_id" });
  }
  const { db } = context.store;
  const { ids } = await readNewest(db, listedRuns(caller, { saved_item_id: savedItemId }), { page_size: 10 });
  const found = await db
    .selectFrom("executions")
    .select(["id", "state", "created_at", "started_at", "finished_at"])
    .where("id", "=", anyIn(ids))
    .execute();
  const rows = inOrder(ids, found);
  const runs = rows.map((row) => ({
    run_id: row.id,
    state: wireState(row.state, row.started_at),
    created_ts: timestamp(row.created_at),
    finished_ts: row.finished_at === null ? null : timestamp(row.finished_at),
  }));
  return { type: "body", body: { [savedItemId]: runs } };
};

export const runHandlers: Runs = {
  startPipeline,
  getRun,
  killPipeline,
  listRuns,
  getRunDetails,
  listRunsBySavedItem,
};
