import { useMissingRight } from "../../lib/rights/rights.ts";
import { AnswerProblem, Answers } from "./Answers.tsx";
import { fieldsOf } from "./form.ts";
import type { QuestionDetailsIn } from "./queries.ts";
import { isOfServer } from "./questions.ts";
import { ServerAnswers } from "./ServerAnswers.tsx";
import { type Answer, argumentsProblem, valueProblemOf } from "./useAnswer.ts";

type Props = { question: QuestionDetailsIn; answer: Answer };

/** The answers, at the lower edge where a thumb reaches them, and why one did not count. */
export function AnswerFoot({ question, answer }: Props) {
  const isWaiting = question.state === "waiting";
  const missing = useMissingRight(question.may_answer === true ? null : question.team?.id, "operate");
  // What is wrong with the arguments or a field is said under them.
  const isSaid =
    argumentsProblem(answer.error) !== null ||
    fieldsOf(question).some(({ name }) => valueProblemOf(answer.error, name) !== null);
  const problem = isSaid ? null : answer.error;
  if (!isWaiting && problem === null) return null;
  return (
    <footer className="sticky bottom-0 z-sticky mt-auto flex flex-col gap-2 border-t bg-surface py-2.5 pr-edge-right pl-edge-left">
      <AnswerProblem error={problem} />
      {isWaiting &&
        (question.may_answer ? (
          isOfServer(question) ? (
            <ServerAnswers question={question} answer={answer} />
          ) : (
            <Answers question={question} answer={answer} />
          )
        ) : (
          <p className="text-muted">
            {missing === undefined
              ? "Waiting for someone else: you can see this, but not answer it."
              : `Waiting for someone else. Answer: ${missing}.`}
          </p>
        ))}
    </footer>
  );
}
