import { type Kysely, sql } from "kysely";
import type { AgentRow } from "../agents/agent-rows.ts";
import type { Database } from "../store/schema.ts";
import { readRubric } from "./rubric.ts";
import { judgeOf } from "./subject.ts";

/**
 * The condition under which a saved rubric, the row `saved`, judges the conversations of an agent, the row `agents`: those
 * of its team, or of its owner's own agents where it has no team.
 */
export const runsOnAgent = sql<boolean>`(
  saved.enabled and saved.deleted_at is null
  and (saved.team_id = agents.team_id
       or (saved.team_id is null and agents.team_id is null and saved.owner_id = agents.owner_id)))`;

/** A saved rubric that judges an agent's conversations by itself, and by which model; null: by code alone. */
export interface RunningRubric {
  readonly id: string;
  readonly name: string;
  readonly judge_model_name: string | null;
}

/** The saved rubrics that judge the conversations of an agent by themselves, beside its own configuration; by name. */
export async function rubricsOn(
  db: Kysely<Database>,
  agent: Pick<AgentRow, "id" | "model_name">,
): Promise<RunningRubric[]> {
  const rows = await db
    .selectFrom("evaluations as saved")
    .innerJoin("agents", (join) => join.onTrue())
    .select(["saved.id", "saved.name", "saved.config"])
    .where("agents.id", "=", agent.id)
    .where(runsOnAgent)
    .orderBy("saved.name")
    .orderBy("saved.id")
    .execute();
  return rows.flatMap(({ id, name, config }) => {
    const rubric = readRubric(config);
    if (rubric.frequency === "manual") return [];
    return [{ id, name, judge_model_name: judgeOf(rubric.model_name, agent.model_name) }];
  });
}
