import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useApi } from "../../../components/api-context.tsx";
import { curlOf } from "../../../components/curl.ts";
import { Button } from "../../../ui/Button.tsx";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Input } from "../../../ui/Input.tsx";

/** Why there are no conversations, and the next step. */
export function NoConversations({
  agentId,
  isFiltered,
  isService,
}: {
  agentId: string;
  isFiltered: boolean;
  isService: boolean;
}) {
  const api = useApi();
  if (isFiltered) {
    return (
      <EmptyState
        title="No conversation fits"
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
  const { userId, teamId } = api.who;
  return (
    <EmptyState
      title="No conversations known yet"
      actions={
        <>
          <Link to="/agents/$agentId/conversations/new" params={{ agentId }} className={buttonClass("plain")}>
            Begin a conversation
          </Link>
          <OpenById agentId={agentId} />
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
        ? "Conversations that you or your team begin with this agent appear here, wherever they are begun."
        : "Conversations that you begin or open in this browser appear here. This service does not list those that were begun elsewhere; paste a conversation id to add one."}
    </EmptyState>
  );
}

function OpenById({ agentId }: { agentId: string }) {
  const navigate = useNavigate();
  const [id, setId] = useState("");
  const interactionId = id.trim();
  const open = (event: FormEvent) => {
    event.preventDefault();
    if (interactionId === "") return;
    void navigate({
      to: "/agents/$agentId/conversations/$interactionId",
      params: { agentId, interactionId },
    });
  };
  return (
    <form onSubmit={open} className="flex items-center gap-2">
      <Input
        isMono
        aria-label="Conversation id"
        placeholder="conversation id"
        className="w-44"
        value={id}
        onChange={(event) => setId(event.target.value)}
      />
      <Button
        type="submit"
        disabledReason={interactionId === "" ? "Paste a conversation id first" : undefined}
        reasonAs="title"
      >
        Open
      </Button>
    </form>
  );
}
