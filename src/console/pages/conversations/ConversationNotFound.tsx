import { Link } from "@tanstack/react-router";
import { Refusal } from "../../components/failure/Failure.tsx";
import { credentialWords } from "../../components/session-words.ts";
import { useSignedIn } from "../../components/wheelhouse-context.tsx";
import { buttonClass } from "../../ui/buttonClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";

type Props = { agentId: string; interactionId: string; error: unknown };

/** The same answer for a conversation that does not exist and one that this key may not see. */
export function ConversationNotFound({ agentId, interactionId, error }: Props) {
  const as = useSignedIn();
  return (
    <EmptyState
      title="No conversation with this id for you"
      actions={
        <>
          <Link to="/agents/$agentId" params={{ agentId }} className={buttonClass("plain")}>
            All conversations with this agent
          </Link>
          <Link to="/agents/$agentId/conversations/new" params={{ agentId }} className={buttonClass("plain")}>
            New conversation
          </Link>
        </>
      }
      foot={
        <span className="flex flex-wrap items-center gap-x-2">
          <Id id={interactionId} what="conversation id" />
          <Refusal error={error} />
        </span>
      }
    >
      It does not exist, or your key may not see it. Asked as <strong>{credentialWords(as)}</strong>.
    </EmptyState>
  );
}
