import { createLimiter, type Requester } from "../limiter.ts";
import {
  type AnsweredAsks,
  type AskedQuestion,
  type QuestionAnswer,
  questionsAtOnce,
  readQuestion,
} from "./server-question.ts";

interface Call {
  readonly answered: readonly AnsweredAsks[];
  readonly asked: AskedQuestion[];
}

/** Questions of a server of an earlier revision, which come as requests of its own while a call is under way. */
export interface QuestionsInCall {
  /**
   * Whether a call that nobody waits for any more may still be asking: the connection is not used for another one then,
   * lest its questions are taken for that one's.
   */
  readonly isDoubtful: boolean;
  /** Answers a request `elicitation/create`: as a person has answered this very question before, else that nobody has. */
  answer(params: unknown): QuestionAnswer;
  /**
   * Makes a call. Nothing on the wire says which call a question belongs to: where two are under way at once it is answered
   * that nobody decided, and calls on this connection are made one after the other from then on, in turn.
   * @param requester whose turn it is
   * @returns what the server asked meanwhile that nobody has answered yet
   */
  during<T>(
    answered: readonly AnsweredAsks[],
    requester: Requester,
    work: () => Promise<T>,
  ): Promise<{ readonly result: PromiseSettledResult<T>; readonly asked: readonly AskedQuestion[] }>;
}

/** One for each connection. */
export function createQuestionsInCall(): QuestionsInCall {
  const open = new Set<Call>();
  const inTurn = createLimiter({ places: 1 });
  let hasAsked = false;
  let isDoubtful = false;

  async function make<T>(answered: readonly AnsweredAsks[], work: () => Promise<T>) {
    const call: Call = { answered, asked: [] };
    open.add(call);
    const [result] = await Promise.allSettled([work()]);
    open.delete(call);
    isDoubtful ||= hasAsked && result.status === "rejected";
    return { result, asked: call.asked };
  }

  return {
    get isDoubtful() {
      return isDoubtful;
    },
    answer(params) {
      hasAsked = true;
      const [call, ...others] = open;
      if (call === undefined || others.length > 0) return { action: "cancel" };
      const question = readQuestion(String(call.asked.length), params);
      for (const { answers } of call.answered) {
        const before = answers.find(({ digest }) => digest === question.digest);
        if (before !== undefined) return before.answer;
      }
      if (call.asked.length < questionsAtOnce) call.asked.push(question);
      return { action: "cancel" };
    },
    during: (answered, requester, work) =>
      hasAsked ? inTurn.run(requester, () => make(answered, work)) : make(answered, work),
  };
}
