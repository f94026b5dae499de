import { Link } from "@tanstack/react-router";
import { useApi } from "../../../lib/api/api-context.tsx";
import { curlOf } from "../../../lib/curl.ts";
import type { More } from "../../../lib/paging/usePages.ts";
import { Button } from "../../../ui/Button.tsx";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { ArtifactScope } from "../queries.ts";

type Props = {
  scope: ArtifactScope;
  isNarrowed: boolean;
  more: More | null;
  onClear: () => void;
};

/** Why there are no artifacts, and the next step. */
export function NoArtifacts({ scope, isNarrowed, more, onClear }: Props) {
  const api = useApi();
  if (isNarrowed) {
    return (
      <EmptyState
        title="No matching artifacts"
        actions={
          <>
            {more && (
              <Button onClick={more.read} loading={more.isReading}>
                {more.error === null ? "Read 100 more" : "They could not be read. Try again"}
              </Button>
            )}
            <Button onClick={onClear}>Show all artifacts</Button>
          </>
        }
      >
        {more
          ? "There is none with these filters among those that were read so far; there are more."
          : "There is none with these filters."}
      </EmptyState>
    );
  }
  const { userId, teamId } = api.who;
  return (
    <EmptyState
      title="No artifacts yet"
      actions={
        scope.kind === "agent" ? (
          <Link
            to="/agents/$agentId/conversations/new"
            params={{ agentId: scope.agentId }}
            className={buttonClass("plain")}
          >
            New conversation
          </Link>
        ) : (
          <Link to="/agents" search={{ talk: true }} className={buttonClass("plain")}>
            Talk to an agent
          </Link>
        )
      }
      curl={curlOf({
        method: "POST",
        url: new URL(`${api.base}/start_agent`, location.href).href,
        body: {
          gummie_id: scope.agentId ?? "AGENT_ID",
          message: "Write a short report to report.md",
          ...(userId && { user_id: userId }),
          ...(teamId && { project_id: teamId }),
        },
      })}
    >
      Files that {scope.kind === "agent" ? "this agent writes" : "agents write"} appear here, with every
      version. Ask {scope.kind === "agent" ? "it" : "one"} for a file in a conversation.
    </EmptyState>
  );
}
