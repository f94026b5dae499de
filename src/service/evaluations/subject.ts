import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { offlineModel } from "../../contract/models.ts";
import type { Database } from "../store/schema.ts";
import type { AgentFacts } from "./question.ts";
import { appliesTo, readRubric } from "./rubric.ts";

/** What one evaluation is about, as it was when it began. */
export const subject = z.object({
  interactionId: z.string(),
  turn: z.int(),
  agent: z.object({
    name: z.string(),
    description: z.string().nullable(),
    systemPrompt: z.string().nullable(),
    tools: z.array(z.string()),
  }),
  /** A `Rubric`, read again by `readRubric`. */
  rubric: z.json(),
  rubricName: z.string().nullable(),
  /** Who judges; null: nobody, only code decides. */
  model: z.string().nullable(),
  /** When it began, ISO 8601. */
  at: z.string(),
});
export type Subject = z.output<typeof subject>;

/** Whether a turn is under way in the conversation that an evaluation is about. */
export async function goesOn(db: Kysely<Database>, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("evaluation_results as result")
    .innerJoin("interactions", "interactions.id", "result.interaction_id")
    .select("interactions.state")
    .where("result.id", "=", id)
    .executeTakeFirst();
  return row?.state === "processing";
}

/** What is stored of an evaluation that waits for its turn, with all that it needs. */
async function readRow(db: Kysely<Database>, id: string) {
  return db
    .selectFrom("evaluation_results as result")
    .innerJoin("interactions", "interactions.id", "result.interaction_id")
    .innerJoin("agents", "agents.id", "result.agent_id")
    .leftJoin("evaluation_configs as config", "config.agent_id", "result.agent_id")
    .leftJoin("evaluations as saved", "saved.id", "result.evaluation_id")
    .select([
      "result.interaction_id",
      "result.turn",
      "result.manual",
      "result.evaluation_id",
      "result.status",
    ])
    .select([
      "interactions.type",
      "agents.name",
      "agents.description",
      "agents.system_prompt",
      "agents.tools",
    ])
    .select([
      "agents.model_name",
      "config.config",
      "saved.name as saved_name",
      "saved.config as saved_config",
    ])
    .select(sql<boolean>`coalesce(saved.enabled and saved.deleted_at is null, false)`.as("saved_runs"))
    .where("result.id", "=", id)
    .where("interactions.deleted_at", "is", null)
    .executeTakeFirst();
}

/**
 * Reads what an evaluation is to judge, as it is now.
 * @returns null where it is to be dropped: its rubric or its conversation was deleted
 * since, or the rubric switched off, or a newer turn has come
 */
export async function readSubject(db: Kysely<Database>, id: string, now: Date): Promise<Subject | null> {
  const row = await readRow(db, id);
  if (row === undefined || row.turn === null || row.status === "completed" || row.status === "failed")
    return null;
  const own = row.evaluation_id === null;
  const rubric = readRubric(own ? row.config : row.saved_config);
  const runs = own ? row.config?.enabled === true : row.saved_runs;
  if (!row.manual && !(runs && appliesTo(rubric, row.type))) return null;
  return {
    interactionId: row.interaction_id,
    turn: row.turn,
    agent: agentFacts(row),
    rubric: JSON.parse(JSON.stringify(rubric)),
    rubricName: own ? null : row.saved_name,
    model: judgeOf(rubric.model_name, row.model_name),
    at: now.toISOString(),
  };
}

/**
 * Who judges: the rubric's model, else the agent's own, which has read the conversation anyway. The built-in model
 * understands no language and never judges.
 */
export function judgeOf(rubricModel: string | null, agentModel: string): string | null {
  const model = rubricModel ?? agentModel;
  return model === offlineModel ? null : model;
}

function agentFacts(row: {
  name: string;
  description: string | null;
  system_prompt: string | null;
  tools: readonly unknown[];
}): AgentFacts & { tools: string[] } {
  const { name, description, system_prompt, tools } = row;
  return { name, description, systemPrompt: system_prompt, tools: tools.map((tool) => toolName(tool)) };
}

function toolName(tool: unknown): string {
  if (typeof tool !== "object" || tool === null) return "unknown";
  const { type, server_id, saved_item_id } = tool as { readonly [key: string]: unknown };
  return [type, server_id ?? saved_item_id].filter((part) => typeof part === "string").join(" ");
}
