import { type ReactNode, useRef, useState } from "react";
import type { Received } from "../../../contract/define.ts";
import type { McpTrialAsks, McpTrialQuestion } from "../../../contract/mcp.ts";
import { joinNames } from "../../lib/join-names.ts";
import { shownName } from "../../lib/shownName.ts";
import { grouped } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { checkTyped, QuestionFields, ServerWords, shownFields, type Typed } from "../inbox/index.ts";
import type { AnsweredRound } from "./queries.ts";

type Answered = AnsweredRound["answers"][number];

type AllProps = {
  asks: Received<McpTrialAsks>;
  /** The server's name. */
  server: string;
  isSending: boolean;
  /** When all of them are answered. */
  onAnswered: (round: AnsweredRound) => void;
};

/** What the server asks before it goes on with a call by hand, one question after the other, answered as in the inbox. */
export function TrialQuestions({ asks, onAnswered, ...shown }: AllProps) {
  const [answers, setAnswers] = useState<readonly Answered[]>([]);
  const questions = (asks.questions ?? []).flatMap((one) => one ?? []);
  const isRefused = ({ refusal }: Received<McpTrialQuestion>) => refusal != null;
  // Those that are shown to no one are declined with the others; one of them is shown where there is nothing else.
  const refused = questions.filter(isRefused);
  const asked =
    refused.length < questions.length ? questions.filter((one) => !isRefused(one)) : refused.slice(0, 1);
  const at = Math.min(answers.length, asked.length - 1);
  const question = asked[at];
  if (question === undefined) return null;
  const declined = refused.filter((one) => !asked.includes(one));
  const answer = (given: Pick<Answered, "answer" | "values">) => {
    const all = [...answers.slice(0, at), answerTo(question, given)];
    setAnswers(all);
    if (all.length < asked.length) return;
    const others = declined.map((one) => answerTo(one, declining));
    onAnswered({ state: asks.state ?? null, answers: [...all, ...others] });
  };
  return (
    <TrialQuestion key={at} question={question} onAnswer={answer} {...shown}>
      {declined.length > 0 && (
        <p className="text-muted text-secondary">
          {declined.length === 1
            ? "One more question is declined automatically: "
            : `${grouped(declined.length)} more questions are declined automatically: `}
          <bdi>{shownName(shown.server)}</bdi>{" "}
          {joinNames([...new Set(declined.map(({ refusal }) => refusal ?? ""))])}.
        </p>
      )}
    </TrialQuestion>
  );
}

const declining = { answer: "refuse", values: null } as const;

const answerTo = (
  { id, digest }: Received<McpTrialQuestion>,
  given: Pick<Answered, "answer" | "values">,
): Answered => ({ id: id ?? "", digest: digest ?? "", ...given });

type Props = Pick<AllProps, "server" | "isSending"> & {
  question: Received<McpTrialQuestion>;
  onAnswer: (answer: Pick<Answered, "answer" | "values">) => void;
  /** What is declined together with it. */
  children: ReactNode;
};

function TrialQuestion({ question, server, isSending, onAnswer, children }: Props) {
  const fields = shownFields(question.fields);
  const [typed, setTyped] = useState<Typed>({});
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const plain = (answer: Answered["answer"]) => onAnswer({ answer, values: null });
  if (question.refusal != null)
    return (
      <section aria-label="The server asks" className="flex flex-col gap-2">
        <Notice kind="waits" title={`${shownName(server)} ${question.refusal}`}>
          That is shown to no one. The tool may go on without it.
        </Notice>
        {children}
        <Button size="small" className="self-start" loading={isSending} onClick={() => plain("refuse")}>
          Decline and go on
        </Button>
      </section>
    );
  const submit = () => {
    if (question.link) return plain("approve");
    const checked = checkTyped(fields, typed);
    if (checked.ok) return onAnswer({ answer: "approve", values: checked.values });
    setTried(true);
    form.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(checked.name)}"]`)?.focus();
  };
  return (
    <section aria-label="The server asks" className="rounded-control border">
      <p className="px-edge-left py-2">
        <bdi className="font-semibold">{shownName(server)}</bdi> asks before it goes on.
      </p>
      <ServerWords words={question.question ?? ""} link={question.link ?? null} isOffered />
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-3 border-t py-3.5 pr-edge-right pl-edge-left"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending) submit();
        }}
      >
        {fields.length > 0 && !question.link && (
          <QuestionFields
            fields={fields}
            typed={typed}
            isTried={isTried}
            refusalOf={() => null}
            onType={setTyped}
          />
        )}
        {children}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <Button size="small" variant="quiet" onClick={() => plain("leave")}>
            Leave
          </Button>
          <Button size="small" variant="danger" onClick={() => plain("refuse")}>
            Decline
          </Button>
          <Button size="small" variant="primary" type="submit" loading={isSending}>
            {question.link ? "I have done it" : "Send answer"}
          </Button>
        </div>
      </form>
    </section>
  );
}
