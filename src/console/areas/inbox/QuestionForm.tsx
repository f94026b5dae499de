import { PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { shownName } from "../../lib/shownName.ts";
import { type FilledRow, fieldsOf, valueWords } from "./form.ts";
import { Part } from "./QuestionFacts.tsx";
import { QuestionFields } from "./QuestionFields.tsx";
import type { QuestionDetailsIn } from "./queries.ts";
import { isOfServer } from "./questions.ts";
import { type Answer, valueProblemOf } from "./useAnswer.ts";

type Props = { question: QuestionDetailsIn; answer: Answer };

/** What a flow says beside its question, and the fields that are filled in with an approval, or were. */
export function QuestionForm({ question, answer }: Props) {
  const fields = fieldsOf(question);
  const details = question.form?.details;
  const values = question.answer?.values ?? null;
  return (
    <>
      {details && (
        <Part title="Details">
          <div className="max-w-text break-words">
            <PlainText text={details} />
          </div>
        </Part>
      )}
      {fields.length > 0 && question.state === "waiting" && question.may_answer && (
        <Part title={isOfServer(question) ? "Your answer" : "Fill in to approve"}>
          <QuestionFields
            fields={fields}
            typed={answer.draft.values}
            isTried={answer.isTried}
            refusalOf={(name) => valueProblemOf(answer.error, name)}
            onType={(values) => answer.write({ values })}
          />
        </Part>
      )}
      {values !== null && fields.length > 0 && (
        <Part title="Filled in">
          <FilledIn
            rows={fields.map((field) => ({ ...field, words: valueWords(values[field.name], field) }))}
          />
        </Part>
      )}
    </>
  );
}

/** What fields hold, each beside its name. */
export function FilledIn({ rows }: { rows: readonly FilledRow[] }) {
  return (
    <dl className="flex max-w-text flex-col gap-1.5">
      {rows.map(({ name, label, words }) => (
        <div key={name} className="flex gap-3 max-sm:flex-col max-sm:gap-0">
          <dt className="w-40 shrink-0 break-words text-muted">
            <bdi>{shownName(label)}</bdi>
          </dt>
          <dd className="min-w-0 whitespace-pre-wrap break-words">
            <bdi>{words}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
