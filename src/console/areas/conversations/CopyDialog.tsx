import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { newId } from "../../api/ids.ts";
import { useApi } from "../../lib/api.tsx";
import type { DraftKind } from "../../lib/drafts/draft.ts";
import { useDraft } from "../../lib/drafts/useDraft.ts";
import { failedToast, NotDone } from "../../lib/failure/Failure.tsx";
import { SecretWarning, useSecretCheck } from "../../lib/secret-warning/SecretWarning.tsx";
import { useGoneSignal } from "../../lib/useGoneSignal.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field, Textarea } from "../../ui/Field.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { conversationMutations, sendProblem } from "./mutations.ts";
import { messageFault, TooLong } from "./TooLong.tsx";

/** The message in whose place a copy goes on. */
export interface CopyFrom {
  readonly messageId: string;
  readonly text: string;
  /** Of that message, from 1. */
  readonly turn: number;
}

type Props = { agentId: string; interactionId: string; from: CopyFrom; onClose: () => void };

/** Also an empty text is one: what was said before does not come back while it is typed over. */
const kind: DraftKind<string> = { read: (kept) => (typeof kept === "string" ? kept : null) };

/** Asks with what a copy goes on in place of a message, and leads to it. What is typed is kept until it was sent. */
export function CopyDialog({ agentId, interactionId, from, onClose }: Props) {
  const navigate = useNavigate();
  const toaster = useToast();
  const { draft, change, beginSend } = useDraft(`copy ${interactionId} ${from.messageId}`, kind);
  const copy = useMutation(conversationMutations.copy(useApi()));
  const key = useRef({ text: "", key: "" });
  const gone = useGoneSignal();
  const text = draft ?? from.text;
  const { secret, allow } = useSecretCheck(text);
  const start = async () => {
    if (copy.isPending) return;
    // Another try of the same text is the same request.
    if (key.current.text !== text || key.current.key === "") key.current = { text, key: newId() };
    const settle = beginSend();
    const left = gone();
    try {
      const id = await copy.mutateAsync({
        ...{ key: key.current.key, interactionId, messageId: from.messageId, message: text },
      });
      settle();
      // Whoever closed it meanwhile, or went elsewhere, is led nowhere, and what they opened since stays open.
      if (left.aborted) return;
      onClose();
      await navigate({
        to: "/agents/$agentId/conversations/$interactionId",
        params: { agentId, interactionId: id },
      });
    } catch (error) {
      // Else the dialog says it; what was typed stays.
      if (left.aborted) toaster.show(failedToast("The copy was not started", error));
    }
  };
  const problem = messageFault(text) ?? (secret ? "Remove the secret first" : undefined);
  return (
    <Dialog
      onClose={onClose}
      title="Go on from here as a copy"
      description={`${keptWords(from.turn - 1)} Nothing is run again, and this conversation stays as it is.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={copy.isPending}
            disabledReason={problem}
            reasonAs="title"
            onClick={() => void start()}
          >
            Start copy
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label={`Message ${from.turn} of the copy`}>
          <Textarea
            rows={6}
            value={text}
            onChange={({ target }) => {
              // One that is on its way still has to say what came of it.
              if (!copy.isPending) copy.reset();
              change(() => (target.value === from.text ? null : target.value));
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || problem) return;
              event.preventDefault();
              void start();
            }}
          />
        </Field>
        <TooLong text={text} />
        {secret && (
          <SecretWarning secret={secret} action="It isn’t a secret" onAllow={() => void allow()}>
            Anyone who can read the copy would see it, and so would the model.
          </SecretWarning>
        )}
        {copy.error !== null && (
          <NotDone error={copy.error} title="The copy was not started">
            {sendProblem(copy.error)} Your message is still here.
          </NotDone>
        )}
      </div>
    </Dialog>
  );
}

function keptWords(turns: number): string {
  if (turns === 0) return "A new conversation starts with this message.";
  return `A new conversation takes over the ${turns === 1 ? "turn" : counted(turns, "turn")} before this message, with tool calls and files.`;
}
