import { type RefObject, useState } from "react";
import { isForbidden, isNotFound } from "../../api/errors.ts";
import { AuditLink } from "../../lib/admin-links/AdminLinks.tsx";
import { useApi } from "../../lib/api.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { isTypingInto } from "../../lib/page/shortcuts.ts";
import { useFocusKept } from "../../lib/page/useFocusKept.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { NotFoundForYou } from "../session/index.ts";
import { AnswerFoot } from "./AnswerFoot.tsx";
import { Arguments } from "./Arguments.tsx";
import { ConversationSoFar } from "./ConversationSoFar.tsx";
import { Outcome, Unsent } from "./Outcome.tsx";
import { Consequences, QuestionHead, ToolWords, WhoAnswers } from "./QuestionFacts.tsx";
import { QuestionForm } from "./QuestionForm.tsx";
import { inboxQueries } from "./queries.ts";
import { isFlow, isOfServer } from "./questions.ts";
import { ServerQuestion } from "./ServerQuestion.tsx";
import type { InboxSearch } from "./search.ts";
import { unsentOf, useAnswer } from "./useAnswer.ts";

type Props = {
  itemId: string;
  search: InboxSearch;
  /** Where the focus goes once the buttons and fields are gone. */
  place: RefObject<HTMLElement | null>;
};

/** One question with all that is needed to decide, and the answer: given here, or by whom and when. */
export default function QuestionDetail({ itemId, search, place }: Props) {
  const read = useRead(inboxQueries.one(useApi(), itemId));
  const answer = useAnswer(itemId);
  const question = read.data?.data.item;
  const [isTyping, setTyping] = useState(false);
  // Someone else answered, or it lapsed: what one types in is not taken away, or its keys would go to the page.
  const isHeld = isTyping && question != null && unsentOf(question, answer).length > 0;
  const isGone = read.isError && isNotFound(read.error);
  useFocusKept(isGone ? "gone" : isHeld ? "waiting" : question?.state, place);
  // Where what was typed is discarded, its button goes with it.
  const shown = isGone ? null : (question ?? null);
  useFocusKept(`${unsentOf(shown, answer).length > 0}`, place);
  const all = (
    <LinkButton to="/inbox" search={search}>
      Open the inbox
    </LinkButton>
  );
  const unsent = <Unsent question={null} answer={answer} />;
  if (isGone)
    return (
      <>
        {unsent}
        <NotFoundForYou what="question" id={itemId} error={read.error} actions={all} />
      </>
    );
  if (!question) {
    return read.isError ? (
      <>
        {isForbidden(read.error) && unsent}
        <ReadFailure query={read} what="The question" actions={all} />
      </>
    ) : read.data !== undefined ? (
      <EmptyState title="The question could not be shown" actions={all}>
        The service sent no data for it.
      </EmptyState>
    ) : (
      <SkeletonRows label="Loading the question" rows={6} columns={["2fr", "1fr"]} />
    );
  }
  const isWaiting = question.state === "waiting";
  const form = isHeld ? { ...question, state: "waiting" as const, may_answer: true } : question;
  return (
    <article
      className="flex min-h-full flex-col"
      onFocus={({ target }) => setTyping(isTypingInto(target))}
      onBlur={({ relatedTarget }) => setTyping(isTypingInto(relatedTarget))}
    >
      <Stale query={read} />
      <QuestionHead question={question} itemId={itemId} search={search} />
      <Damage damage={read.data?.damage ?? []} />
      <Outcome question={question} answer={answer} />
      {isOfServer(question) ? (
        <ServerQuestion question={form} answer={answer} />
      ) : isFlow(question) ? (
        <QuestionForm question={form} answer={answer} />
      ) : (
        <>
          <Arguments question={form} answer={answer} />
          <ToolWords question={question} />
          <ConversationSoFar question={question} />
        </>
      )}
      {isWaiting && <Consequences question={question} />}
      <WhoAnswers question={question} />
      {!isWaiting && (
        <p className="px-edge-left py-2 -ml-2">
          <AuditLink kind="question" id={itemId} />
        </p>
      )}
      <AnswerFoot question={form} answer={answer} />
    </article>
  );
}
