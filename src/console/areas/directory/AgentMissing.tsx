import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/buttonClass.ts";
import { NotFoundForYou } from "../session/index.ts";

/** An agent that does not exist, that was retired, or that this key may not see. */
export function AgentMissing({ agentId, error }: { agentId: string; error: unknown }) {
  return (
    <NotFoundForYou
      what="agent"
      id={agentId}
      error={error}
      or="was retired"
      actions={
        <Link to="/agents" className={buttonClass("plain")}>
          All agents
        </Link>
      }
    />
  );
}
