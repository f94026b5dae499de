import type { Expression, SqlBool } from "kysely";
import type { Context } from "../context.ts";
import type { Tx } from "../store/store.ts";
import { hasChecks, readRubric } from "./rubric.ts";
import { startEvaluation } from "./start-evaluations.ts";

export interface RunByHand {
  readonly agentId: string;
  /** As stored for the agent; undefined where it was never configured. */
  readonly config: unknown;
  readonly sessionIds: readonly string[];
  /** Which rows of `interactions` the caller may read. */
  readonly readable: Expression<SqlBool>;
  /** Start nothing. */
  readonly dryRun: boolean;
  /** Done in the transaction of the first that is started. */
  readonly onFirst: (tx: Tx) => Promise<void>;
}

type Queued = { readonly session_id: string; readonly evaluation_id: string | null };
type Skipped = Queued & { readonly reason: "ineligible" | "in_flight" };
type Outcome =
  | { readonly type: "queued"; readonly evaluation_id: string | null }
  | {
      readonly type: "skipped";
      readonly reason: "ineligible" | "in_flight";
      readonly evaluation_id: string | null;
    };

/** Starts an evaluation of the newest turn of each session that has ended, by the agent's own configuration. */
export async function runByHand(
  context: Context,
  run: RunByHand,
): Promise<{ queued: Queued[]; skipped: Skipped[] }> {
  const queued: Queued[] = [];
  const skipped: Skipped[] = [];
  const eligible = hasChecks(readRubric(run.config));
  for (const session_id of run.sessionIds) {
    const outcome = eligible
      ? await context.store.db.transaction().execute(async (tx) => {
          const done = await startOne(context, tx, run, session_id);
          if (done.type === "queued" && done.evaluation_id !== null && queued.length === 0)
            await run.onFirst(tx);
          return done;
        })
      : ineligible;
    const { evaluation_id } = outcome;
    if (outcome.type === "queued") queued.push({ session_id, evaluation_id });
    else skipped.push({ session_id, reason: outcome.reason, evaluation_id });
  }
  return { queued, skipped };
}

const ineligible: Outcome = { type: "skipped", reason: "ineligible", evaluation_id: null };

async function startOne(context: Context, tx: Tx, run: RunByHand, sessionId: string): Promise<Outcome> {
  // The lock lets two requests for one session happen one after the other, and no turn begin meanwhile.
  const session = await tx
    .selectFrom("interactions")
    .select(["id", "agent_id", "user_id", "team_id", "turn", "state"])
    .where("id", "=", sessionId)
    .where("agent_id", "=", run.agentId)
    .where(run.readable)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (session === undefined || session.state === "processing") return ineligible;
  const there = await tx
    .selectFrom("evaluation_results")
    .select(["id", "status", "replaces"])
    .where("interaction_id", "=", session.id)
    .where("evaluation_id", "is", null)
    .where("turn", "=", session.turn)
    .execute();
  const inFlight = there.find(({ status }) => status === "queued" || status === "running");
  if (inFlight) return { type: "skipped", reason: "in_flight", evaluation_id: inFlight.id };
  if (run.dryRun) return { type: "queued", evaluation_id: null };
  const completed = there.find(({ status }) => status === "completed");
  const failed = there.filter(({ status }) => status === "failed").map(({ id }) => id);
  if (failed.length > 0) await tx.deleteFrom("evaluation_results").where("id", "in", failed).execute();
  const evaluation_id = await startEvaluation(tx, context, session, {
    ...{ turn: session.turn, rubricId: null, replaces: completed?.id ?? null },
    ...{ manual: true, quiet: false },
  });
  return { type: "queued", evaluation_id };
}
