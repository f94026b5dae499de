import { Link } from "@tanstack/react-router";
import { useApi } from "../../lib/api/api-context.tsx";
import { curlOf } from "../../lib/curl.ts";
import { Failure } from "../../lib/failure/Failure.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { ListFoot } from "../../ui/Table.tsx";
import { AgentAvatar, agentQueries } from "../directory/index.ts";

/** This service lists artifacts by agent alone (§4.8): whose should be shown? */
export function PickAgent() {
  const api = useApi();
  const read = useRead(agentQueries.list(api, { sort_order: "name_asc" }));
  if (read.isError && read.data === undefined) {
    return (
      <Failure
        error={read.error}
        what="The agents"
        onRetry={() => void read.refetch()}
        isRetrying={read.isRetrying}
      />
    );
  }
  if (read.isPending) return <SkeletonRows label="Reading agents" rows={6} columns={["20px", "2fr"]} />;
  const agents = (read.data?.data.agents ?? []).flatMap((agent) =>
    agent?.id
      ? [
          {
            ...{ id: agent.id, name: shownName(agent.name || agent.id) },
            ...{ about: agent.description, metadata: agent.metadata },
          },
        ]
      : [],
  );
  if (agents.length === 0) {
    return (
      <EmptyState
        title="No agent whose artifacts could be listed"
        curl={curlOf({ method: "GET", url: new URL(`${api.base}/agents`, location.href).href })}
      >
        This service lists artifacts by agent, and it lists no agents for this key.
      </EmptyState>
    );
  }
  return (
    <>
      <p className="max-w-text pt-4 pr-edge-right pb-3 pl-edge-left text-muted">
        This service lists artifacts by agent. Whose do you want to see?
      </p>
      <ul aria-label="Agents" className="border-t">
        {agents.map(({ id, name, about, metadata }) => (
          <li key={id} className="border-b">
            <Link
              to="/artifacts"
              search={{ agent: id }}
              className="focus-inset flex min-h-row items-center gap-3 py-2 pr-edge-right pl-edge-left hover:bg-surface-hover"
            >
              <AgentAvatar name={name} metadata={metadata} />
              <bdi className="font-medium">{name}</bdi>
              <span className="min-w-0 flex-1 truncate text-muted text-secondary">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="sticky bottom-0 mt-auto">
        <ListFoot>{agents.length === 1 ? "1 agent" : `${agents.length} agents`}</ListFoot>
      </div>
    </>
  );
}
