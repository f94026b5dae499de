import { type Selectable, sql } from "kysely";
import { turnInput } from "../agents/turn-input.ts";
import type { Ids } from "../context.ts";
import type { Engine } from "../engine/engine.ts";
import type { Execution, Kind, NewExecution } from "../engine/kind.ts";
import type { InteractionsTable } from "../store/schema-agents.ts";
import type { Tx } from "../store/store.ts";
import { evaluationKind } from "./evaluation-kind.ts";
import { appliesTo, readRubric } from "./rubric.ts";
import { runsOnAgent } from "./saved-rubrics.ts";

interface Starting {
  readonly ids: Ids;
  readonly engine: Pick<Engine, "start">;
}

/** A turn whose end, in the same transaction, starts what its agent's evaluations want. A turn that was stopped is none. */
export function withEvaluations(kind: Kind, starting: Starting): Kind {
  return {
    ...kind,
    async ended(tx, execution, end) {
      await kind.ended?.(tx, execution, end);
      if (end.type !== "terminated") await evaluateTurn(tx, starting, execution);
    },
  };
}

/** What judges the sessions of an agent by itself: its own configuration (no id), and saved rubrics. */
interface Judging {
  readonly id: string | null;
  readonly config: unknown;
}

async function evaluateTurn(tx: Tx, starting: Starting, execution: Execution): Promise<void> {
  const turn = (turnInput.parse(execution.input).messageSeq + 1) / 2;
  const { rows } = await sql<Judging>`
    select null as id, config from evaluation_configs
     where agent_id = (select agent_id from interactions where id = ${execution.subjectId})
       and config->'enabled' = 'true'
    union all
    select saved.id, saved.config from evaluations saved, interactions join agents on agents.id = interactions.agent_id
     where interactions.id = ${execution.subjectId} and ${runsOnAgent}`.execute(tx);
  if (rows.length === 0) return;
  const interaction = await tx
    .selectFrom("interactions")
    .select(["id", "agent_id", "user_id", "team_id", "type"])
    .where("id", "=", execution.subjectId)
    .executeTakeFirst();
  if (interaction === undefined) return;
  for (const { id: rubricId, config } of rows) {
    const rubric = readRubric(config);
    if (rubric.frequency === "manual" || !appliesTo(rubric, interaction.type)) continue;
    await dropOlder(tx, interaction.id, rubricId);
    const quiet = rubric.frequency !== "per_turn";
    await startEvaluation(tx, starting, interaction, {
      turn,
      rubricId,
      replaces: null,
      manual: false,
      quiet,
    });
  }
}

/** What waited for the conversation to become quiet waits for nothing any more. */
async function dropOlder(tx: Tx, interactionId: string, rubricId: string | null): Promise<void> {
  await tx
    .deleteFrom("evaluation_results")
    .where("interaction_id", "=", interactionId)
    .where(sql<boolean>`evaluation_id is not distinct from ${rubricId}`)
    .where("status", "=", "queued")
    .where("quiet", "=", true)
    .execute();
}

export interface NewEvaluation {
  readonly turn: number;
  readonly rubricId: string | null;
  /** The result of the same turn whose place it takes. */
  readonly replaces: string | null;
  readonly manual: boolean;
  /** See `evaluationInput`. */
  readonly quiet: boolean;
}

/**
 * Starts an evaluation, in the caller's transaction.
 * @returns its id; null where this turn has one already: then nothing was started
 */
export async function startEvaluation(
  tx: Tx,
  { ids, engine }: Starting,
  session: Pick<Selectable<InteractionsTable>, "id" | "agent_id" | "user_id" | "team_id">,
  { turn, rubricId, replaces, manual, quiet }: NewEvaluation,
): Promise<string | null> {
  const id = ids.make("eval");
  const row = await tx
    .insertInto("evaluation_results")
    .values({
      ...{ id, evaluation_id: rubricId, agent_id: session.agent_id, interaction_id: session.id },
      ...{ turn, status: "queued" as const, manual, quiet, replaces, grade: null },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row === undefined) return null;
  const execution: NewExecution = {
    ...{ id, kind: evaluationKind, subjectId: session.id, userId: session.user_id, teamId: session.team_id },
    input: { quiet },
  };
  await engine.start(tx, execution);
  return id;
}
