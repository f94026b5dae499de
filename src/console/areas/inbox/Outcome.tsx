import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { ClockTime } from "../../lib/time/ClockTime.tsx";
import { formatDuration } from "../../lib/time/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { Person } from "../directory/index.ts";
import { FilledIn } from "./QuestionForm.tsx";
import type { QuestionDetailsIn } from "./queries.ts";
import { answerWord, isFlow, isOfRun, isOfServer } from "./questions.ts";
import { type Answer, unsentOf } from "./useAnswer.ts";

type Props = { question: QuestionDetailsIn; answer: Answer };

/** What was typed for a question and never sent; a question that is null can be read no more. */
export function Unsent({ question, answer }: { question: QuestionDetailsIn | null; answer: Answer }) {
  const unsent = unsentOf(question, answer);
  if (unsent.length === 0) return null;
  return (
    <Notice
      kind="waits"
      title="What you typed was not sent"
      action={
        <Button
          size="small"
          onClick={() => answer.write({ mode: null, reason: "", argumentsText: null, values: {} })}
        >
          Discard
        </Button>
      }
    >
      <FilledIn rows={unsent} />
    </Notice>
  );
}

/** What became of a question, and what was typed for it and never sent. */
export function Outcome({ question, answer }: Props) {
  return (
    <>
      {question.asked_again_for && (
        <Notice kind="waits" title="The tool has changed since it was asked about before">
          Nothing was run for{" "}
          <Link to="/inbox/$itemId" params={{ itemId: question.asked_again_for }} className={linkClass}>
            the earlier question
          </Link>
          . Look at what the tool says now.
        </Notice>
      )}
      <Ended question={question} />
      <Unsent question={question} answer={answer} />
    </>
  );
}

function Ended({ question }: { question: QuestionDetailsIn }) {
  const { state, answer, ended_at: endedAt } = question;
  const isOfFlow = isFlow(question);
  const isServer = isOfServer(question);
  const at = (
    <>
      {" "}
      at <ClockTime at={endedAt} />
    </>
  );
  if (answer) {
    const word = answerWord(answer.answer, question.kind);
    return (
      <Band>
        <p className="font-semibold">
          {word.charAt(0).toUpperCase() + word.slice(1)}
          {answer.by && (
            <>
              {" "}
              by <Person of={answer.by} />
            </>
          )}
        </p>
        <p className="text-muted">
          At <ClockTime at={answer.at} />
          {typeof answer.took_ms === "number" && `, ${formatDuration(answer.took_ms)} after it was asked`}.
        </p>
        {answer.reason && (
          <blockquote className="mt-1.5 border-l-2 pl-3">
            <PlainText text={answer.reason} />
          </blockquote>
        )}
        {state === "tool_changed" && (
          <p className="mt-1.5 text-muted">
            The tool changed before it ran, so nothing was run. If the turn goes on, the agent asks again.
          </p>
        )}
      </Band>
    );
  }
  switch (state) {
    case "lapsed":
      return (
        <Band>
          <p>
            {isOfFlow || isServer
              ? "No one answered in time: it lapsed"
              : "No one answered in time: the call was refused"}
            {at}.{" "}
            {isOfFlow
              ? "The run went on without an approval."
              : isServer
                ? "The server was told that no one decided."
                : "Nothing was run."}
          </p>
        </Band>
      );
    case "withdrawn":
      return (
        <Band>
          <p>
            The {isOfRun(question) ? "run" : "turn"} that asked ended or was stopped{at}.
            {!isOfFlow && !isServer && " Nothing was run."}
          </p>
        </Band>
      );
    case "tool_changed":
      return (
        <Band>
          <p>
            The tool changed after the agent asked{at}. Nothing was run; if the turn goes on, the agent asks
            again.
          </p>
        </Band>
      );
    default:
      return null;
  }
}

function Band({ children }: { children: ReactNode }) {
  return (
    <div className="border-t bg-surface-sunken py-3 pr-edge-right pl-edge-left">
      <div className="max-w-text">{children}</div>
    </div>
  );
}
