import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Received } from "../../../contract/define.ts";
import type { InboxAnswer } from "../../../contract/inbox.ts";
import { describeError } from "../../api/describe-error.ts";
import { ConsoleError, isForbidden, isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import type { DraftKind } from "../../lib/drafts/draft.ts";
import { useDraft } from "../../lib/drafts/useDraft.ts";
import { isObject, own } from "../../lib/json/json-value.ts";
import { usePerson } from "../directory/index.ts";
import { checkTyped, type FilledRow, fieldsOf, type Typed, typedRows } from "./form.ts";
import { type AnswerToSend, inboxMutations, type QuestionDetailsIn } from "./queries.ts";
import { answerWord } from "./questions.ts";

/** What a person is making of an answer. */
export interface AnswerDraft {
  readonly mode: "edit" | "refuse" | null;
  /** JSON as it is typed; null: nothing was edited. */
  readonly argumentsText: string | null;
  readonly reason: string;
  /** What is typed into the fields of a form. */
  readonly values: Typed;
}

const blank: AnswerDraft = { mode: null, argumentsText: null, reason: "", values: {} };

const kind: DraftKind<AnswerDraft> = {
  read: (kept) => {
    if (!isObject(kept)) return null;
    const { mode, argumentsText, reason, values } = kept;
    const typed = Object.entries(isObject(values) ? values : {}).flatMap(([name, text]) =>
      typeof text === "string" ? [[name, text] as const] : [],
    );
    return {
      mode: mode === "edit" || mode === "refuse" ? mode : null,
      argumentsText: typeof argumentsText === "string" ? argumentsText : null,
      reason: typeof reason === "string" ? reason : "",
      values: Object.fromEntries(typed),
    };
  },
};

const isBlank = ({ mode, argumentsText, reason, values }: AnswerDraft): boolean =>
  mode === null && argumentsText === null && reason === "" && Object.keys(values).length === 0;

/** What is typed and chosen for one question, kept in this browser until it is sent, and the sending of it: once (C-38). */
export function useAnswer(id: string) {
  const mutation = useMutation(inboxMutations.answer(useApi()));
  const { draft, change, beginSend, keeping } = useDraft(`inbox answer ${id}`, kind);
  const isOnItsWay = useRef(false);
  const [isTried, setTried] = useState(false);
  const send = async (body: AnswerToSend["body"]): Promise<void> => {
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    const settle = beginSend();
    try {
      await mutation.mutateAsync({ id, body });
      settle(() => null);
    } catch {
      // Said beside the buttons; what was typed stays.
    } finally {
      isOnItsWay.current = false;
    }
  };
  return {
    draft: draft ?? blank,
    isKept: draft !== null && keeping === "kept",
    /** Changes what is typed; nothing typed and no mode is no draft. */
    write: (part: Partial<AnswerDraft>) => {
      // One that is on its way still has to say whether it counted.
      if (!isOnItsWay.current) mutation.reset();
      change((before) => {
        const next = { ...(before ?? blank), ...part };
        return isBlank(next) ? null : next;
      });
    },
    /** Whether it was to be sent while a field was wrong: all say so from then on. */
    isTried,
    tryAgain: () => setTried(true),
    send,
    isSending: mutation.isPending,
    /** The answer that is on its way; null where none is. */
    sending: mutation.isPending ? mutation.variables.body.answer : null,
    error: mutation.error,
  };
}
export type Answer = ReturnType<typeof useAnswer>;

/**
 * What was typed for a question and not sent; an answer that counts comes back before its draft is forgotten.
 * @param question null: it can be read no more
 */
export function unsentOf(
  question: QuestionDetailsIn | null,
  { draft, isSending }: Answer,
): readonly FilledRow[] {
  const { reason, argumentsText, values } = draft;
  if (isSending || question?.state === "waiting") return [];
  const texts = [
    { name: "its reason", label: "Reason", words: reason },
    { name: "its arguments", label: "Arguments", words: argumentsText ?? "" },
  ];
  return [
    ...texts.filter(({ words }) => words !== ""),
    ...typedRows(question === null ? [] : fieldsOf(question), values),
  ];
}

/** Sends what was filled into a form; where a field is wrong, all say so, and the focus goes to it. */
export function sendForm(question: QuestionDetailsIn, answer: Answer): void {
  const checked = checkTyped(fieldsOf(question), answer.draft.values);
  if (checked.ok) return void answer.send({ answer: "approve", values: checked.values });
  answer.tryAgain();
  document.querySelector<HTMLElement>(`[data-field="${CSS.escape(checked.name)}"]`)?.focus();
}

/** Where edited arguments do not fit the tool's schema, in words; null where that is not what went wrong. */
export function argumentsProblem(error: unknown): string | null {
  if (!(error instanceof ConsoleError) || error.failure.kind !== "http") return null;
  const { param, message } = error.failure;
  if (param === null || !/^(body\.)?arguments_text(\.|$)/.test(param)) return null;
  const path = param.replace(/^(body\.)?arguments_text\.?/, "");
  // The field that is typed in has no name on the page.
  const said = (message ?? "The tool does not accept it.").replace(/^arguments_text\./, "");
  return path === "" || said.includes(path) ? said : `${path}: ${said}`;
}

/** Why the service refuses the value of this field; null where it does not. */
export function valueProblemOf(error: unknown, name: string): string | null {
  if (!(error instanceof ConsoleError) || error.failure.kind !== "http") return null;
  const { param, message } = error.failure;
  if (param?.replace(/^body\./, "") !== `values.${name}`) return null;
  return (message ?? "The flow does not accept it.").replace(/^values\.\w+/, "This");
}

/** Why an answer did not count: what happened, and what it means. */
export interface AnswerRefusal {
  readonly title: string;
  readonly words: string;
}

/** Says why an answer did not count, naming who was first. */
export function useAnswerRefusal(): (error: unknown) => AnswerRefusal {
  const person = usePerson();
  return (error) => {
    const code = error instanceof ConsoleError ? error.code : null;
    switch (code) {
      case "already_answered": {
        const answer = firstAnswer(error);
        const who = answer?.by ? person(answer.by.id, answer.by) : "someone else";
        const isMe = who === "you";
        return {
          title: `${isMe ? "You" : who === "someone else" ? "Someone else" : who} answered first: ${answerWord(answer?.answer)}`,
          words: isMe
            ? "You answered it in another tab or window. That answer counted; this one did nothing."
            : "That answer counted; yours did nothing.",
        };
      }
      case "approval_lapsed":
        return {
          title: "Too late: the time limit has passed",
          words: "No one answered in time, so nothing was done on this answer.",
        };
      case "approval_withdrawn":
        return {
          title: "No one waits for this answer any more",
          words: "The run or conversation that asked has ended or was stopped.",
        };
      case "tool_definition_changed":
        return {
          title: "The tool has changed since the agent asked",
          words: "Nothing was run. If the turn goes on, the agent asks again with the tool as it is now.",
        };
    }
    if (isForbidden(error))
      return { title: "You may not answer this", words: "You can see it, but others have to answer it." };
    if (isNotFound(error))
      return { title: "Not answered", words: "It no longer exists, or you no longer have access." };
    const { what, means, next } = describeError(error);
    return { title: "Not answered", words: `${what} ${means} ${next}`.trim() };
  };
}

/** The answer that counted, as the refusal of a later one tells it. */
function firstAnswer(error: unknown): Received<InboxAnswer> | null {
  const details =
    error instanceof ConsoleError && error.failure.kind === "http" ? error.failure.details : null;
  const answer = isObject(details) ? own(details, "answer") : null;
  return isObject(answer) ? (answer as Received<InboxAnswer>) : null;
}
