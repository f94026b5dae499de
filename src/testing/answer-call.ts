import { callAnswer, isCall } from "../service/agents/approvals/answered-call.ts";
import { answerQuestion, type GivenAnswer, type QuestionRow } from "../service/questions/answer.ts";
import { flowAnswerOf } from "../service/questions/flow-question.ts";
import type { Store } from "../service/store/store.ts";

/** Answers a question about a call of a tool, or of a flow, as the interface does. @returns whether the answer counted */
export const answerCall = (
  store: Pick<Store, "db">,
  question: Pick<QuestionRow, "id" | "execution_id">,
  given: GivenAnswer,
): Promise<boolean> =>
  answerQuestion(store, question, given, (row) => {
    const by = { id: given.userId, name: given.userId, email: null };
    return isCall(row) ? { ...callAnswer(row) } : { ...flowAnswerOf(row, by) };
  });
