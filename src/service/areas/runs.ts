import { type SqlBool, sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { loadPeople } from "../agents/agent-view.ts";
import { resolveActor, teamScope, teamsOf } from "../permission/actor.ts";
import { mayKill, mayReadExecution } from "../permission/executions.ts";
import { ServiceError } from "../service-error.ts";
import { getRun, noRun } from "./get-run.ts";
import type { Handlers } from "./handler.ts";
import { cutPage, keyTime, readCursor, timeKey, timeKeyForm } from "./page.ts";
import {
  cutInputs,
  flowName,
  runOwner,
  selectRuns,
  showRun,
  stateCondition,
  wholeInputs,
  wireState,
} from "./run-rows.ts";
import { startPipeline } from "./start-pipeline.ts";
import { timeOf, timestamp } from "./times.ts";

type Runs = Pick<
  Handlers<typeof endpoints>,
  "startPipeline" | "getRun" | "killPipeline" | "listRuns" | "getRunDetails" | "listRunsBySavedItem"
>;

/** §4.5. Of a kill and an end at the same time one happens; killing what is over answers `success: false`. */
const killPipeline: Runs["killPipeline"] = async (context, { caller, body }) => {
  resolveActor(caller, body, "personal");
  const run = await context.store.db
    .selectFrom("executions")
    .select(["user_id", "team_id"])
    .where("id", "=", body.run_id)
    .where("kind", "=", "pipeline")
    .executeTakeFirst();
  if (!run || !mayKill(caller, runOwner(run))) throw noRun();
  const { killed } = await context.engine.kill(body.run_id);
  return { type: "body", body: { success: killed, run_id: body.run_id } };
};

const list = "runs:newest";

/** Own: all runs that the caller may see, newest first. */
const listRuns: Runs["listRuns"] = async (context, { caller, query }) => {
  const scope = teamScope(caller, query.team_id);
  const size = query.page_size ?? 20;
  const end = query.cursor === undefined ? null : readCursor(list, query.cursor, timeKeyForm);
  let rows = selectRuns(context.store.db, cutInputs)
    .select(timeKey("executions.created_at").as("time_key"))
    .where((where) => {
      const teams = scope === null ? [...teamsOf(caller)] : [scope];
      const team = teams.length > 0 ? [where("executions.team_id", "in", teams)] : [];
      const own =
        caller.kind !== "team" && scope === null ? [where("executions.user_id", "=", caller.userId)] : [];
      return where.or([...team, ...own]);
    })
    .orderBy("executions.created_at", "desc")
    .orderBy("executions.id", "desc")
    .limit(size + 1);
  if (query.state !== undefined) {
    rows = rows.where(sql<SqlBool>`(${sql.join(query.state.split(",").map(stateCondition), sql` or `)})`);
  }
  if (query.saved_item_id !== undefined) rows = rows.where("executions.subject_id", "=", query.saved_item_id);
  if (query.created_after !== undefined) {
    rows = rows.where("executions.created_at", ">=", timeOf(query.created_after));
  }
  if (query.created_before !== undefined) {
    rows = rows.where("executions.created_at", "<", timeOf(query.created_before));
  }
  if (query.search !== undefined) {
    const has = (text: unknown) => sql`position(lower(${query.search}) in lower(${text})) > 0`;
    rows = rows.where(sql<SqlBool>`(${has(sql`executions.id`)} or ${has(flowName)} or exists (
      select from json_each_text(executions.input -> 'inputs') as input (name, value) where ${has(sql`input.value`)}))`);
  }
  if (end !== null) {
    rows = rows.where(
      sql<SqlBool>`(executions.created_at, executions.id) < (${keyTime(end.key)}, ${end.id})`,
    );
  }
  const page = cutPage(await rows.execute(), size, list, (row) => ({ key: row.time_key, id: row.id }));
  const people = await loadPeople(
    context.store.db,
    page.rows.map((row) => row.user_id),
  );
  const runs = page.rows.map((row) => showRun(row, people));
  return { type: "body", body: { runs, next_cursor: page.next_cursor } };
};

/** Own: one run with its whole inputs, the run above it, and the runs that its nodes started. */
const getRunDetails: Runs["getRunDetails"] = async (context, { caller, params }) => {
  const { db } = context.store;
  const row = await selectRuns(db, wholeInputs)
    .select(["parent.subject_id as parent_flow", "parent.state as parent_state"])
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
  return { type: "body", body: { ...showRun(row, people), sub_runs, parent } };
};

/** Public: the ten newest runs of a saved item that the caller may see. */
const listRunsBySavedItem: Runs["listRunsBySavedItem"] = async (context, { caller, query }) => {
  resolveActor(caller, query, "never");
  const savedItemId = query.saved_item_id;
  if (savedItemId === undefined) {
    const message = "saved_item_id is required: this service has no workbooks.";
    throw new ServiceError("invalid_parameter", { message, param: "saved_item_id" });
  }
  const rows = await context.store.db
    .selectFrom("executions")
    .select(["id", "state", "created_at", "started_at", "finished_at"])
    .where("kind", "=", "pipeline")
    .where("subject_id", "=", savedItemId)
    .where((where) => {
      const teams = [...teamsOf(caller)];
      const team = teams.length > 0 ? [where("team_id", "in", teams)] : [];
      return where.or([...team, ...(caller.kind === "team" ? [] : [where("user_id", "=", caller.userId)])]);
    })
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(10)
    .execute();
  const runs = rows.map((row) => ({
    run_id: row.id,
    state: wireState(row.state, row.started_at),
    created_ts: timestamp(row.created_at),
    finished_ts: row.finished_at === null ? null : timestamp(row.finished_at),
  }));
  return { type: "body", body: { [savedItemId]: runs } };
};

export const runs: Runs = {
  startPipeline,
  getRun,
  killPipeline,
  listRuns,
  getRunDetails,
  listRunsBySavedItem,
};
