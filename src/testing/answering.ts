import type { Execution, Step } from "../service/engine/kind.ts";
import type { AgentService } from "./agents.ts";
import { answer } from "./approvals.ts";

/** What a turn has asked people, the oldest first. */
export const questionsOf = ({ context }: AgentService, { subjectId }: Execution) =>
  context.store.db
    .selectFrom("approvals")
    .select(["id", "step_key", "state", "lapses_at"])
    .where("interaction_id", "=", subjectId)
    .orderBy("asked_at")
    .execute();

/**
 * Between two lives of a turn (`live`): a person answers each of its questions once, through the interface; what that ends is
 * a step in the database.
 */
export function answering(app: AgentService, execution: Execution, body: Readonly<Record<string, unknown>>) {
  const { db } = app.context.store;
  return async (steps: Map<string, Step>) => {
    for (const { id, step_key, state, lapses_at } of await questionsOf(app, execution)) {
      const step = steps.get(step_key);
      if (step?.state !== "waiting") continue;
      const row = { execution_id: execution.id, key: step_key, state: "waiting" as const };
      await db
        .insertInto("steps")
        .values({ ...row, output: null, error: null, wake_at: lapses_at, child_id: null, finished_at: null })
        .onConflict((there) => there.doNothing())
        .execute();
      if (state === "waiting") {
        const { status, body: said } = await answer(app, { id }, body);
        if (status !== 200) throw new Error(`no answer was taken: ${JSON.stringify(said)}`);
      }
      const ended = await db
        .selectFrom("steps")
        .select(["state", "output"])
        .where("execution_id", "=", execution.id)
        .where("key", "=", step_key)
        .executeTakeFirstOrThrow();
      steps.set(step_key, { ...step, ...ended });
    }
  };
}
