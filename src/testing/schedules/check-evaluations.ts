import { turnKind } from "../../service/agents/turn.ts";
import { evaluationKind } from "../../service/evaluations/evaluation-kind.ts";
import { isGivingUp } from "./check-runs.ts";
import { isTooLate } from "./check-turns.ts";
import type { Conversation } from "./history.ts";
import type { World } from "./world.ts";

/** What has gone wrong with what judges the turns of conversations: each that was not stopped is judged once. */
export async function brokenEvaluations(world: World): Promise<string[]> {
  const removed = await world.database.removed();
  const broken: string[] = [];
  for (const conversation of world.history.conversations)
    if (!removed.has(conversation.id)) broken.push(...(await brokenJudgements(world, conversation)));
  return broken;
}

async function brokenJudgements(world: World, { id, isJudged }: Conversation): Promise<string[]> {
  const { db } = world.database.fresh.store;
  const all = await db.selectFrom("executions").selectAll().where("subject_id", "=", id).execute();
  const results = await db
    .selectFrom("evaluation_results")
    .selectAll()
    .where("interaction_id", "=", id)
    .execute();
  const broken: string[] = [];
  for (const turn of all.filter(({ kind }) => kind === turnKind)) {
    const number = (Number(Reflect.get(Object(turn.input), "messageSeq")) + 1) / 2;
    const times = results.filter((result) => result.turn === number).length;
    const expected = isJudged && turn.state !== "terminated" ? 1 : 0;
    if (times !== expected) broken.push(`${turn.id} is ${turn.state}, and was judged ${times} times`);
  }
  for (const result of results) {
    const execution = all.find((one) => one.id === result.id);
    const isExcused =
      (world.history.losses >= 5 && isGivingUp(execution?.error ?? null)) ||
      isTooLate(world, execution?.error ?? null);
    const expected = execution?.state === "done" ? "completed" : "failed";
    if (result.status !== expected || result.finished_at === null)
      broken.push(`${result.id} is ${result.status}, and its execution ${execution?.state}`);
    if (result.status === "failed" && !isExcused) broken.push(`${result.id} failed: ${result.error}`);
  }
  const judging = all.filter(({ kind }) => kind === evaluationKind);
  if (judging.length !== results.length)
    broken.push(`${id} has ${results.length} judgements and was judged ${judging.length} times`);
  return broken;
}
