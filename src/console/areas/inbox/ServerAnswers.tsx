import { useRef } from "react";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { Button } from "../../ui/Button.tsx";
import type { QuestionDetailsIn } from "./queries.ts";
import { type Answer, sendForm } from "./useAnswer.ts";

type Props = { question: QuestionDetailsIn; answer: Answer };

/** The three answers to a server: what was filled in or done, that one declines, and that one leaves it undecided. */
export function ServerAnswers({ question, answer }: Props) {
  const { send, sending } = answer;
  const accept = useRef<HTMLButtonElement>(null);
  const decline = useRef<HTMLButtonElement>(null);
  const submit = () => sendForm(question, answer);
  useShortcuts([
    // Nothing is sent by one key alone: these only go to the buttons.
    { keys: "a", does: "Go to the answer, then press Enter", run: () => accept.current?.focus() },
    { keys: "r", does: "Go to Decline, then press Enter", run: () => decline.current?.focus() },
    { keys: "mod+enter", does: "Send the answer", run: submit, whileTyping: true },
  ]);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <Button
        variant="quiet"
        className="max-sm:flex-1"
        loading={sending === "leave"}
        onClick={() => void send({ answer: "leave" })}
      >
        Leave
      </Button>
      <Button
        ref={decline}
        variant="danger"
        className="max-sm:flex-1"
        loading={sending === "refuse"}
        onClick={() => void send({ answer: "refuse" })}
      >
        Decline
      </Button>
      <Button
        ref={accept}
        variant="primary"
        className="max-sm:flex-1"
        loading={sending === "approve"}
        onClick={submit}
      >
        {question.link ? "I have done it" : "Send answer"}
      </Button>
    </div>
  );
}
