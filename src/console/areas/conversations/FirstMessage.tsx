import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useTextDraft } from "../../lib/drafts/useDraft.ts";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { shownName } from "../../lib/shownName.ts";
import { useGoneSignal } from "../../lib/useGoneSignal.ts";
import { Composer, NotToThem, type Offering, SendError, StarterPrompts } from "./Composer.tsx";
import { useSend } from "./mutations.ts";

type Props = {
  agentId: string;
  /** As it is written here. */
  name: string;
  agent:
    | (Offering & { readonly name?: string | null | undefined; readonly team_id?: string | null | undefined })
    | undefined;
  /** The team whose conversation it will be; null: only the person's. */
  projectId: string | null | undefined;
  /** On the page that is there for it: the field has the focus, with words beside the button. Else it is a small one. */
  page?: { readonly note: (isKept: boolean) => ReactNode };
};

/** The field for the first message: it starts a conversation and leads to it. */
export function FirstMessage({ agentId, name, agent, projectId = null, page }: Props) {
  const navigate = useNavigate();
  const { text, setText, beginSend, isKept } = useTextDraft(`message to ${agentId}`);
  const { send, isSending, error, reset } = useSend();
  const field = useRef<HTMLTextAreaElement>(null);
  const gone = useGoneSignal();
  const isPage = page !== undefined;
  const missing = useMissingRight(agent?.team_id, "operate");
  useEffect(() => {
    if (isPage) field.current?.focus();
  }, [isPage]);
  const submit = async (message: string) => {
    const settle = beginSend(message);
    const left = gone();
    try {
      const agentName = agent?.name ?? null;
      const id = await send({ agentId, agentName, message, interactionId: null, projectId });
      if (id === null) return;
      settle();
      // Whoever went elsewhere meanwhile stays there.
      if (left.aborted) return;
      await navigate({
        to: "/agents/$agentId/conversations/$interactionId",
        params: { agentId, interactionId: id },
        replace: isPage,
      });
    } catch {
      // Said over the field; what was typed stays.
    }
  };
  if (missing !== undefined) return <NotToThem action="Start a conversation" missing={missing} />;
  return (
    <>
      <StarterPrompts
        agent={agent}
        name={name}
        action="Start"
        onSend={(message) => void submit(message)}
        onPick={(prompt) => {
          setText(prompt);
          field.current?.focus();
        }}
      />
      <Composer
        label={`Message ${shownName(name)}`}
        text={text}
        fieldRef={field}
        onText={(typed) => {
          if (error !== null) reset();
          setText(typed);
        }}
        onSend={(message) => void submit(message)}
        isSending={isSending}
        isPrimary={isPage}
        isSmall={!isPage}
        action="Start"
        note={page?.note(isKept)}
        error={error !== null && <SendError error={error} />}
      />
    </>
  );
}
