import { type ReactNode, useRef } from "react";
import { textLimits } from "../../../contract/limits.ts";
import { readJsonObject } from "../../lib/code-editor/read-json.ts";
import { NotDone } from "../../lib/failure/Failure.tsx";
import { formatJson } from "../../lib/json/format-json.ts";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { Button } from "../../ui/Button.tsx";
import { Field, Textarea } from "../../ui/Field.tsx";
import type { QuestionDetailsIn } from "./queries.ts";
import { agentName, isFlow } from "./questions.ts";
import { type Answer, type AnswerDraft, sendForm, useAnswerRefusal } from "./useAnswer.ts";

/** Why an answer did not count; nothing where it did. */
export function AnswerProblem({ error }: { error: Error | null }) {
  const refusalOf = useAnswerRefusal();
  if (error === null) return null;
  const { title, words } = refusalOf(error);
  return (
    <NotDone error={error} title={title}>
      {words}
    </NotDone>
  );
}

type Props = {
  question: QuestionDetailsIn;
  answer: Answer;
  /** Beside other things, which have the keys: the way to the page where the arguments can be edited. */
  toPage?: ReactNode;
};

/** The buttons of the three answers, and what has to be typed for them. */
export function Answers({ question, answer, toPage }: Props) {
  const { draft, write, send, isSending } = answer;
  const isPage = toPage === undefined;
  const mode = isPage || draft.mode !== "edit" ? draft.mode : null;
  const approve = useRef<HTMLButtonElement>(null);
  const reason = useRef<HTMLTextAreaElement>(null);
  const toRefuse = useRef<HTMLButtonElement>(null);
  const toEdit = useRef<HTMLButtonElement>(null);
  const asked = question.arguments_text ?? "";
  const mayEdit = isPage && question.may_edit === true;
  const edited = mode === "edit" ? (draft.argumentsText ?? formatJson(asked)) : null;
  const isValid = edited === null || readJsonObject(edited).ok;
  const refuse = () => {
    write({ mode: "refuse" });
    // In a moment, when it is there.
    requestAnimationFrame(() => reason.current?.focus());
  };
  const leave = (part: Partial<AnswerDraft> = {}) => {
    const begun = mode === "edit" ? toEdit : toRefuse;
    write({ mode: null, ...part });
    requestAnimationFrame(() => begun.current?.focus());
  };
  const submit = () => {
    if (mode !== "refuse" && question.form) return sendForm(question, answer);
    if (mode === "refuse") void send({ answer: "refuse", reason: draft.reason.trim() || null });
    else if (edited === null) void send({ answer: "approve" });
    else if (isValid) void send({ answer: "approve_edited", arguments_text: edited });
  };
  const keys = [
    // Nothing runs by one key alone: this one only goes to the button.
    { keys: "a", does: "Go to Approve, then press Enter", run: () => approve.current?.focus() },
    ...(mayEdit ? [{ keys: "e", does: "Edit arguments", run: () => write({ mode: "edit" }) }] : []),
    { keys: "r", does: "Refuse with a reason", run: refuse },
    ...(mode === null
      ? []
      : [{ keys: "mod+enter", does: "Send the answer", run: submit, whileTyping: true }]),
  ];
  useShortcuts(isPage ? keys : []);
  const back = (
    <Button className="max-sm:flex-1" onClick={() => leave()}>
      Back
    </Button>
  );
  if (mode === "refuse") {
    return (
      <div className="flex flex-col gap-2">
        <Field
          label="Reason"
          aside="optional"
          hint={`${agentName(question)} ${isFlow(question) ? "gets" : "is told"} this.`}
        >
          <Textarea
            ref={reason}
            rows={2}
            maxLength={textLimits.note}
            value={draft.reason}
            onChange={(event) => write({ reason: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === "Escape") leave();
            }}
          />
        </Field>
        <div className="flex flex-wrap items-center justify-end gap-2">
          {back}
          <Button variant="primary" className="max-sm:flex-1" loading={isSending} onClick={submit}>
            {isFlow(question) ? "Refuse" : "Refuse call"}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {mode === "edit" ? (
        <>
          {draft.argumentsText !== null && (
            <Button variant="quiet" className="mr-auto" onClick={() => leave({ argumentsText: null })}>
              Discard edits
            </Button>
          )}
          {back}
        </>
      ) : (
        <>
          {toPage}
          <Button ref={toRefuse} variant="danger" className="max-sm:flex-1" onClick={refuse}>
            Refuse…
          </Button>
          {mayEdit && (
            <Button ref={toEdit} className="max-sm:flex-1" onClick={() => write({ mode: "edit" })}>
              {draft.argumentsText === null ? "Edit…" : "Go on editing…"}
            </Button>
          )}
        </>
      )}
      <Button
        ref={approve}
        variant="primary"
        className="max-sm:flex-1"
        loading={isSending}
        {...(!isValid && { disabledReason: "Fix the JSON first", reasonAs: "title" as const })}
        onClick={submit}
      >
        {edited !== null
          ? "Approve with edits"
          : draft.argumentsText === null
            ? "Approve"
            : "Approve as asked"}
      </Button>
    </div>
  );
}
