import type { ApprovalAnswer } from "../../service/store/schema-approvals.ts";
import { answerCall } from "../answer-call.ts";
import { expireTimer } from "../waits.ts";
import { type Of, tenants } from "./actions.ts";
import type { AnswerGiven } from "./history.ts";
import type { World } from "./world.ts";

const [actor] = tenants;

/** One of the questions that wait is answered, perhaps twice at once, or its time comes. */
export async function answer(world: World, { at, which, how }: Of<"answer">): Promise<void> {
  const waiting = await waitingQuestions(world);
  const question = waiting[which % Math.max(1, waiting.length)];
  if (question === undefined) return;
  if (how === "lapse") return lapse(world, question);
  const given = (answer: ApprovalAnswer, index: number) => {
    const process = world.processAt(at + index);
    const one: AnswerGiven = { id: question.id, answer, told: "unknown" };
    world.history.answers.push(one);
    const sent = { answer, userId: actor.userId, editedText: null, values: null, reason: null };
    const work = world.ask(process, async () =>
      (await answerCall(process.store, question, sent)) ? ("counts" as const) : ("too late" as const),
    );
    world.background(
      work.then((told) => {
        one.told = told;
      }),
    );
  };
  const both: readonly ApprovalAnswer[] = how === "both" ? ["approve", "refuse"] : [how];
  for (const [index, one] of both.entries()) given(one, index);
}

export interface WaitingQuestion {
  readonly id: string;
  readonly execution_id: string;
  readonly step_key: string;
}

/** What waits for people. */
export function waitingQuestions({ database }: World): Promise<WaitingQuestion[]> {
  return database.fresh.store.db
    .selectFrom("approvals")
    .select(["id", "execution_id", "step_key"])
    .where("state", "=", "waiting")
    .orderBy("asked_at")
    .execute();
}

/** The time of a question comes. */
async function lapse({ database, history }: World, question: WaitingQuestion): Promise<void> {
  const { store } = database.fresh;
  history.lapses.push(question.id);
  await store.pool.query(
    "update approvals set lapses_at = least(lapses_at, clock_timestamp()) where id = $1 and state = 'waiting'",
    [question.id],
  );
  await expireTimer(store, question.execution_id, question.step_key);
}
