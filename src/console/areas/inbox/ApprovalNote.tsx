import { Link } from "@tanstack/react-router";
import { type RefObject, useRef } from "react";
import type { Received } from "../../../contract/define.ts";
import type { MessagePart } from "../../../contract/messages.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { useFocusKept } from "../../lib/page/useFocusKept.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { usePerson } from "../directory/index.ts";
import { AnswerProblem, Answers } from "./Answers.tsx";
import { inboxQueries } from "./queries.ts";
import { answerWord, describeQuestion, isOfServer, serverWords, toolName, whoWords } from "./questions.ts";
import { useAnswer } from "./useAnswer.ts";

/** What a conversation tells of a call that people were asked about. */
export type ApprovalIn = NonNullable<Received<MessagePart>["approval"]>;

/** Under a call in a conversation: the answers while it waits, then who answered and when. */
export function ApprovalNote({ approval }: { approval: ApprovalIn }) {
  const canAsk = useCan("inbox");
  const place = useRef<HTMLElement>(null);
  useFocusKept(approval.state, place);
  const { inbox_id: id } = approval;
  return (
    <section ref={place} tabIndex={-1} aria-label="Approval" className="focus-inset border-t">
      {id && canAsk && approval.state === "waiting" ? (
        <WaitingCall id={id} place={place} />
      ) : (
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-1.5 text-muted text-secondary">
          <span className="min-w-0 flex-1">
            <Settled approval={approval} />
          </span>
          {id && canAsk && <ToInbox id={id} />}
        </p>
      )}
    </section>
  );
}

function Settled({ approval }: { approval: ApprovalIn }) {
  const person = usePerson();
  const { answer, answered_by: by, answered_at: at, reason, state, kind } = approval;
  if (!answer) return capital(describeQuestion({ state }).title);
  return (
    <>
      {capital(answerWord(answer, kind))}
      {by && (
        <>
          {" "}
          by <bdi>{person(by.id, by)}</bdi>
        </>
      )}
      {at && (
        <>
          {" "}
          <Ago at={at} />
        </>
      )}
      {state === "tool_changed" && "; the tool changed before it ran"}
      {reason && (
        <>
          : <bdi className="break-words">{shownName(reason.slice(0, 2_000))}</bdi>
        </>
      )}
    </>
  );
}

/** The same answers as in the inbox, with the same draft; the focus goes to the place when they are given. */
function WaitingCall({ id, place }: { id: string; place: RefObject<HTMLElement | null> }) {
  const person = usePerson();
  const read = useRead(inboxQueries.one(useApi(), id));
  const answer = useAnswer(id);
  const question = read.data?.data.item;
  useFocusKept(question?.state, place);
  // Others may have answered before the conversation tells of it.
  const settled = question && question.state !== "waiting" ? question : null;
  const link = <ToInbox id={id} />;
  return (
    <div className="flex flex-col gap-2 px-3 py-2">
      <AnswerProblem error={answer.error} />
      {settled ? (
        <p className="text-muted text-secondary">
          <Settled
            approval={{
              kind: settled.kind === "server" ? "server" : "tool_call",
              state: settled.state,
              answer: settled.answer?.answer,
              answered_by: settled.answer?.by,
              answered_at: settled.answer?.at,
              reason: settled.answer?.reason,
            }}
          />
        </p>
      ) : question && isOfServer(question) ? (
        <p className="flex flex-wrap items-baseline gap-x-3 text-muted text-secondary">
          <span className="min-w-0 flex-1">
            <bdi>{serverWords(question) ?? "The server"}</bdi> asks: <bdi>{toolName(question)}</bdi>
          </span>
          {link}
        </p>
      ) : question?.may_answer ? (
        <Answers
          question={question}
          answer={answer}
          toPage={<span className="mr-auto max-sm:basis-full">{link}</span>}
        />
      ) : (
        <p className="flex flex-wrap items-baseline gap-x-3 text-muted text-secondary">
          <span className="min-w-0 flex-1">
            {question ? `Waiting for: ${whoWords(question, person)}` : "Waiting for approval"}
          </span>
          {link}
        </p>
      )}
    </div>
  );
}

function ToInbox({ id }: { id: string }) {
  return (
    <Link to="/inbox/$itemId" params={{ itemId: id }} className={linkClass}>
      Open in the inbox
    </Link>
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
