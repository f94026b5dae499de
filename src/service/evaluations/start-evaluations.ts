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

/**
 * Turns whose ends start, in the same transaction, what their agents' evaluations want. A turn that was stopped starts none;
 * of agents without evaluations turns end in one statement.
 */
export function withEvaluations(kind: Kind, starting: Starting): Kind {
  return {
    ...kind,
    async ended(tx, execution, end) {
      await kind.ended?.(tx, execution, end);
      if (end.type !== "terminated") await evaluateTurn(tx, starting, execution);
    },
    // Counts: `exists` is planned for its first row, and may read all rubrics, or make a list of all agents with evaluations.
    endsApart: sql`(
      select count(*) > 0 from interactions session join agents on agents.id = session.agent_id
       where session.id = executions.subject_id
         and ((select count(*) from evaluation_configs configured
                where configured.agent_id = agents.id and configured.config->'enabled' = 'true') > 0
              or (select count(*) from evaluations saved where ${runsOnAgent}) > 0))`,
  };
}

/** What judges a session by itself: its agent's own configuration (no rubric), and saved rubrics. */
interface Judging {
  readonly session: Session & Pick<Selectable<InteractionsTable>, "type">;
  readonly rubric: string | null;
  readonly config: unknown;
}

async function evaluateTurn(tx: Tx, starting: Starting, { subjectId, input }: Execution): Promise<void> {
  const { rows } = await sql<Judging>`
    with sessions as (
      select id, agent_id, user_id, team_id, type from interactions where id = ${subjectId}
    )
    select row_to_json(sessions) as session, null as rubric, config
      from sessions join evaluation_configs on evaluation_configs.agent_id = sessions.agent_id
     where config->'enabled' = 'true'
    union all
    select row_to_json(sessions), saved.id, saved.config
      from evaluations saved, sessions join agents on agents.id = sessions.agent_id where ${runsOnAgent}
  `.execute(tx);
  const turn = (turnInput.parse(input).messageSeq + 1) / 2;
  for (const { session, rubric: rubricId, config } of rows) {
    const rubric = readRubric(config);
    if (rubric.frequency === "manual" || !appliesTo(rubric, session.type)) continue;
    await dropOlder(tx, session.id, rubricId);
    const quiet = rubric.frequency !== "per_turn";
    await startEvaluation(tx, starting, session, { turn, rubricId, replaces: null, manual: false, quiet });
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

type Session = Pick<Selectable<InteractionsTable>, "id" | "agent_id" | "user_id" | "team_id">;

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
  session: Session,
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
