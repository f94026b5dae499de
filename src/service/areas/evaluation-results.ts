import type { Kysely, Selectable } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { EvaluationResult } from "../../contract/evaluations.ts";
import { seenAgent, shownId } from "../agents/agent-rows.ts";
import { shownChange } from "../audit/changes.ts";
import { nothingChanged, type Recorded, record } from "../audit/record.ts";
import { runByHand } from "../evaluations/run-by-hand.ts";
import { storedVerdict } from "../evaluations/verdict.ts";
import { readableInteractions } from "../permission/executions.ts";
import { anyIn } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { EvaluationResultsTable } from "../store/schema-agents.ts";
import type { Handlers } from "./handler.ts";
import { inOrder, readNewest } from "./newest.ts";
import { listedResults } from "./result-list.ts";
import { timestamp } from "./times.ts";

type Results = Pick<Handlers<typeof endpoints>, "listEvaluationResults" | "runEvaluations">;

export interface ResultRow extends Selectable<EvaluationResultsTable> {
  readonly session_name: string;
  readonly rubric_name: string | null;
}

/** @param agentId as it is shown: an alias where the agent has one */
export function showResult(agentId: string, row: ResultRow): EvaluationResult {
  const { rubric_name, ...held } = storedVerdict.parse(row.result);
  const completed = row.status === "completed";
  return {
    evaluation_id: row.id,
    interaction_id: row.interaction_id,
    session_id: row.interaction_id,
    session_name: row.session_name,
    turn: row.turn,
    agent_id: agentId,
    rubric:
      row.evaluation_id === null
        ? null
        : { id: row.evaluation_id, name: row.rubric_name ?? rubric_name ?? row.evaluation_id },
    created_ts: timestamp(row.created_at),
    finished_ts: row.finished_at && timestamp(row.finished_at),
    status: row.status,
    error: row.error,
    grade: completed ? row.grade : null,
    ...held,
    ...(completed && { judged_by: held.model_name === null ? "code" : "model" }),
    applied_tags: [...row.tags],
  };
}

/** Results with what is shown of their conversation and rubric, to be narrowed. */
export function resultRows(db: Kysely<Database>) {
  return db
    .selectFrom("evaluation_results as result")
    .innerJoin("interactions", "interactions.id", "result.interaction_id")
    .leftJoin("evaluations as rubric", "rubric.id", "result.evaluation_id")
    .selectAll("result")
    .select(["interactions.name as session_name", "rubric.name as rubric_name"]);
}

/** Public: the results of an agent, newest first: those of conversations that the caller may read. */
const listEvaluationResults: Results["listEvaluationResults"] = async (
  context,
  { caller, params, query },
) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  const { db } = context.store;
  const page = await readNewest(db, listedResults(caller, agent.id, query), query);
  const found = await resultRows(db).where("result.id", "=", anyIn(page.ids)).execute();
  const evaluations = inOrder(page.ids, found).map((row) => showResult(shownId(agent), row));
  return { type: "body", body: { evaluations, next_cursor: page.next_cursor } };
};

/** Public: evaluates finished sessions of an agent now; with `dry_run` it only says which it would. */
const runEvaluations: Results["runEvaluations"] = async (context, request) => {
  const { caller, params, body } = request;
  const agent = await seenAgent(context, caller, params.agent_id);
  const config = await context.store.db
    .selectFrom("evaluation_configs")
    .select("config")
    .where("agent_id", "=", agent.id)
    .executeTakeFirst();
  const sessionIds = [...new Set(body.session_ids)];
  let recorded: Recorded = nothingChanged();
  const answer = await runByHand(context, {
    agentId: agent.id,
    config: config?.config,
    sessionIds,
    readable: readableInteractions(caller),
    dryRun: body.dry_run ?? false,
    // Each session is a transaction of its own: the entry comes with the first that is started.
    async onFirst(tx) {
      recorded = await record(tx, request, {
        action: "evaluations.run",
        object: { kind: "agent", id: agent.id, name: agent.name },
        teamId: agent.team_id,
        changes: [shownChange("sessions", null, sessionIds.length)],
      });
    },
  });
  return { type: "body", body: answer, recorded };
};

export const evaluationResults: Results = { listEvaluationResults, runEvaluations };
