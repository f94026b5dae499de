import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/buttonClass.ts";
import { NotFoundForYou } from "../session/index.ts";

type Props = { agentId: string; interactionId: string; error: unknown };

/** A conversation that does not exist or that this key may not see. */
export function ConversationNotFound({ agentId, interactionId, error }: Props) {
  return (
    <NotFoundForYou
      what="conversation"
      id={interactionId}
      error={error}
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
    />
  );
}
