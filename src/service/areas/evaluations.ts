import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import { type EvaluationConfig, evaluationConfig } from "../../contract/evaluations.ts";
import { type AgentRow, seenAgent, shownId } from "../agents/agent-rows.ts";
import { isRecord } from "../agents/metadata.ts";
import { mayManage } from "../permission/owned.ts";
import { ServiceError } from "../service-error.ts";
import type { Handlers } from "./handler.ts";

type Evaluations = Pick<
  Handlers<typeof endpoints>,
  "getEvaluationMetrics" | "getEvaluationConfig" | "deleteEvaluation"
>;

const grades = ["pass", "needs_review", "needs_attention"];

/** §4.10: counts of the results of the last `days`; a result without a grade counts in none. */
const getEvaluationMetrics: Evaluations["getEvaluationMetrics"] = async (
  context,
  { caller, params, query },
) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  const days = query.days ?? 30;
  const recent = context.store.db
    .selectFrom("evaluation_results")
    .where("agent_id", "=", agent.id)
    .where("created_at", ">", sql<Date>`now() - ${days} * interval '1 day'`);
  const graded = await recent
    .select(["grade", sql<number>`count(*)::int`.as("count")])
    .where("grade", "is not", null)
    .groupBy("grade")
    .execute();
  const tagged = await recent
    .innerJoinLateral(sql<{ tag: string }>`jsonb_array_elements_text(tags)`.as("each"), (join) =>
      join.onTrue(),
    )
    .select([sql<string>`each.value`.as("tag"), sql<number>`count(*)::int`.as("count")])
    .groupBy(sql`each.value`)
    .execute();
  return {
    type: "body",
    body: {
      days,
      grades: {
        ...Object.fromEntries(grades.map((grade) => [grade, 0])),
        ...Object.fromEntries(graded.map(({ grade, count }) => [grade, count])),
      },
      tags: Object.fromEntries(tagged.map(({ tag, count }) => [tag, count])),
    },
  };
};

/** §2.6 of an agent that was never configured: nothing is evaluated. */
function defaultConfig(agent: AgentRow): EvaluationConfig {
  return {
    agent_id: shownId(agent),
    enabled: false,
    is_active: false,
    model_name: null,
    frequency: "debounced",
    language: "auto",
    include_auto_tags: false,
    interaction_types: [],
    criteria: [],
    tags: [],
    data_points: [],
    sentiment: null,
    updated_ts: null,
  };
}

/** §4.11 */
const getEvaluationConfig: Evaluations["getEvaluationConfig"] = async (context, { caller, params }) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  const row = await context.store.db
    .selectFrom("evaluation_configs")
    .selectAll()
    .where("agent_id", "=", agent.id)
    .executeTakeFirst();
  const config = defaultConfig(agent);
  if (row === undefined || !isRecord(row.config)) return { type: "body", body: { config } };
  const updated_ts = row.updated_at.toISOString().replace("Z", "+00:00");
  const stored = evaluationConfig.parse({ ...config, ...row.config, agent_id: config.agent_id, updated_ts });
  return { type: "body", body: { config: stored } };
};

/** §4.13, §3.6: of many deletions one finds it; results stay attached to their sessions. */
const deleteEvaluation: Evaluations["deleteEvaluation"] = async (context, { caller, params }) => {
  const unknown = new ServiceError("not_found", {
    message: "There is no such evaluation.",
    param: "evaluation_id",
  });
  const { db } = context.store;
  const row = await db
    .selectFrom("evaluations")
    .select(["owner_id", "team_id"])
    .where("id", "=", params.evaluation_id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || !mayManage(caller, { ownerId: row.owner_id, teamId: row.team_id })) throw unknown;
  const deleted = await db
    .updateTable("evaluations")
    .set({ deleted_at: sql`now()`, enabled: false })
    .where("id", "=", params.evaluation_id)
    .where("deleted_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (deleted === undefined) throw unknown;
  return { type: "none" };
};

export const evaluations: Evaluations = { getEvaluationMetrics, getEvaluationConfig, deleteEvaluation };
