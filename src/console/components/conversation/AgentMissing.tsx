import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/buttonClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { Refusal } from "../failure/Failure.tsx";
import { credentialWords } from "../session-words.ts";
import { useSignedIn } from "../wheelhouse-context.tsx";

/** The same answer for an agent that does not exist, one that was retired, and one that this key may not see. */
export function AgentMissing({ agentId, error }: { agentId: string; error: unknown }) {
  const as = useSignedIn();
  return (
    <EmptyState
      title="No agent with this id for you"
      actions={
        <Link to="/agents" className={buttonClass("plain")}>
          All agents
        </Link>
      }
      foot={
        <span className="flex flex-wrap items-center gap-x-2">
          <Id id={agentId} what="agent id" />
          <Refusal error={error} />
        </span>
      }
    >
      It does not exist, was retired, or your key may not see it. Asked as{" "}
      <strong>{credentialWords(as)}</strong>.
    </EmptyState>
  );
}
