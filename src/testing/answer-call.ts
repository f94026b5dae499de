import { callAnswer, isCall } from "../service/agents/approvals/answered-call.ts";
import { answerQuestion, type GivenAnswer, type QuestionRow } from "../service/questions/answer.ts";
import type { Store } from "../service/store/store.ts";

/** Answers a question about a call of a tool, as the interface does. @returns whether the answer counted */
export const answerCall = (
  store: Pick<Store, "db">,
  question: Pick<QuestionRow, "id" | "execution_id">,
  given: GivenAnswer,
): Promise<boolean> =>
  answerQuestion(store, question, given, (row) => (isCall(row) ? { ...callAnswer(row) } : null));
