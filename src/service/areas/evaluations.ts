import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { EvaluationConfig } from "../../contract/evaluations.ts";
import { type AgentRow, seenAgent, shownId } from "../agents/agent-rows.ts";
import { changesOf } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { countResults } from "../evaluations/metrics.ts";
import { changeRubric, type Rubric, readRubric, storeRubric } from "../evaluations/rubric.ts";
import { rubricsOn } from "../evaluations/saved-rubrics.ts";
import { judgeOf } from "../evaluations/subject.ts";
import { isJsonObject } from "../json.ts";
import { toJson } from "../store/json.ts";
import type { Handlers } from "./handler.ts";
import { checkModel } from "./models.ts";
import { timestamp } from "./times.ts";

type Evaluations = Pick<
  Handlers<typeof endpoints>,
  "getEvaluationMetrics" | "getEvaluationConfig" | "updateEvaluationConfig"
>;

/** §4.10: counts of the last `days`, 30 where none are given. */
const getEvaluationMetrics: Evaluations["getEvaluationMetrics"] = async (
  context,
  { caller, params, query },
) => {
  const agent = await seenAgent(context, caller, params.agent_id);
  return { type: "body", body: await countResults(context.store.db, agent.id, query.days ?? 30) };
};

/** §2.6. An agent that was never configured has the defaults, switched off; `is_active` is whether it runs by itself. */
async function showConfig(
  { store }: Pick<Context, "store">,
  agent: AgentRow,
  stored: { readonly enabled: boolean; readonly rubric: Rubric; readonly updatedAt: Date | null },
): Promise<EvaluationConfig> {
  const { enabled, rubric, updatedAt } = stored;
  return {
    agent_id: shownId(agent),
    enabled,
    is_active: enabled && rubric.frequency !== "manual",
    ...rubric,
    judge_model_name: judgeOf(rubric.model_name, agent.model_name),
    default_judge_model_name: judgeOf(null, agent.model_name),
    saved_rubrics: await rubricsOn(store.db, agent),
    updated_ts: updatedAt && timestamp(updatedAt),
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
  const stored = {
    enabled: row?.config.enabled === true,
    rubric: readRubric(row?.config),
    updatedAt: row?.updated_at ?? null,
  };
  return { type: "body", body: { config: await showConfig(context, agent, stored) } };
};

/** Public: only what is sent changes, lists replace. Changes at the same time happen one after the other. */
const updateEvaluationConfig: Evaluations["updateEvaluationConfig"] = async (context, request) => {
  const { caller, params, body } = request;
  const agent = await seenAgent(context, caller, params.agent_id);
  if (body.model_name != null) checkModel(context, body.model_name, "model_name");
  const { ids } = context;
  const stored = await context.store.db.transaction().execute(async (tx) => {
    await tx
      .insertInto("evaluation_configs")
      .values({ agent_id: agent.id, config: "{}" })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const current = await tx
      .selectFrom("evaluation_configs")
      .select("config")
      .where("agent_id", "=", agent.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const before = readRubric(current.config);
    const rubric = changeRubric(before, body, ids);
    const wasEnabled = isJsonObject(current.config) && current.config.enabled === true;
    const enabled = body.enabled ?? wasEnabled;
    const row = await tx
      .updateTable("evaluation_configs")
      .set({ config: toJson({ ...storeRubric(rubric), enabled }), updated_at: sql<Date>`now()` })
      .where("agent_id", "=", agent.id)
      .returning("updated_at")
      .executeTakeFirstOrThrow();
    const recorded = await record(tx, request, {
      action: "evaluation_config.update",
      object: { kind: "agent", id: agent.id, name: agent.name },
      teamId: agent.team_id,
      changes: changesOf("agent", { ...before, enabled: wasEnabled }, { ...rubric, enabled }),
    });
    return { enabled, rubric, updatedAt: row.updated_at, recorded };
  });
  const { recorded } = stored;
  return { type: "body", body: { config: await showConfig(context, agent, stored) }, recorded };
};

export const evaluationHandlers: Evaluations = {
  getEvaluationMetrics,
  getEvaluationConfig,
  updateEvaluationConfig,
};
