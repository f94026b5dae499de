import { Link, useNavigate } from "@tanstack/react-router";
import { useApi } from "../../../lib/api/api-context.tsx";
import { curlOf } from "../../../lib/curl.ts";
import { OpenById } from "../../../lib/OpenById.tsx";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";

/** Why there are no conversations, and the next step. */
export function NoConversations({
  agentId,
  isFiltered,
  isService,
  takesMessages,
}: {
  agentId: string;
  isFiltered: boolean;
  isService: boolean;
  /** Of an agent that is gone none is begun any more. */
  takesMessages: boolean;
}) {
  const api = useApi();
  const navigate = useNavigate();
  if (isFiltered) {
    return (
      <EmptyState
        title="No matching conversations"
        actions={
          <Link to="/agents/$agentId" params={{ agentId }} className={buttonClass("plain")}>
            Show all conversations
          </Link>
        }
      >
        There are none with these words and in this state.
      </EmptyState>
    );
  }
  if (!takesMessages)
    return <EmptyState title="No conversations known">None can be begun with it any more.</EmptyState>;
  const { userId, teamId } = api.who;
  return (
    <EmptyState
      title="No conversations yet"
      actions={
        <>
          <Link to="/agents/$agentId/conversations/new" params={{ agentId }} className={buttonClass("plain")}>
            New conversation
          </Link>
          <OpenById
            what="conversation"
            onOpen={(interactionId) =>
              void navigate({
                to: "/agents/$agentId/conversations/$interactionId",
                params: { agentId, interactionId },
              })
            }
          />
        </>
      }
      curl={curlOf({
        method: "POST",
        url: new URL(`${api.base}/start_agent`, location.href).href,
        body: {
          gummie_id: agentId,
          message: "What can you do?",
          ...(userId && { user_id: userId }),
          ...(teamId && { project_id: teamId }),
        },
      })}
    >
      {isService
        ? "Conversations that you or your team start with this agent appear here."
        : "Conversations that you begin or open in this browser appear here. This service does not list those that were started elsewhere; paste a conversation id to add one."}
    </EmptyState>
  );
}
