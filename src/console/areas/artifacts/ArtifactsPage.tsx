import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { listAgents } from "../../../contract/agents.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlOfCall } from "../../lib/curl.ts";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { hasFailed, useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { counted } from "../../lib/words.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { ListFoot } from "../../ui/Table.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { AgentAvatar, agentQueries } from "../directory/index.ts";
import { useSignedIn } from "../session/index.ts";
import { ArtifactList } from "./list/ArtifactList.tsx";
import { useArtifactList } from "./list/useArtifactList.ts";
import type { ArtifactScope } from "./queries.ts";
import { type ArtifactsSearch, readArtifactsSearch } from "./search.ts";

/** Find the file: the artifacts of all agents, or of one where the service lists them by agent alone. */
export function ArtifactsPage({ search }: { search: ArtifactsSearch }) {
  const canAll = useCan("artifacts");
  const { agent } = search;
  const scope = useMemo((): ArtifactScope | null => {
    if (canAll) return { kind: "all", agentId: agent };
    return agent === undefined ? null : { kind: "agent", agentId: agent };
  }, [canAll, agent]);
  if (scope === null) {
    return (
      <Page title="Artifacts" heading="Artifacts">
        <PickAgent />
      </Page>
    );
  }
  return <Listed scope={scope} search={search} canAll={canAll} />;
}

type Props = { scope: ArtifactScope; search: ArtifactsSearch; canAll: boolean };

function Listed({ scope, search, canAll }: Props) {
  const navigate = useNavigate({ from: "/artifacts/" });
  const { credential } = useSignedIn();
  const list = useArtifactList(scope, search);
  const { artifact: _, of: __, ...rest } = search;
  return (
    <Page
      title={search.q === undefined ? "Artifacts" : `“${search.q}” · Artifacts`}
      heading="Artifacts"
      live={list.queryKey}
      actions={canAll && <LinkButton to="/artifacts/shared">Shared by you</LinkButton>}
    >
      {credential.kind !== "team" && (
        <TabBar label="Artifacts by owner" className="shrink-0 pr-edge-right pl-edge-left">
          {([undefined, "mine"] as const).map((of) => (
            <Tab key={of ?? "all"} isActive={search.of === of}>
              <Link to="/artifacts" search={{ ...rest, ...(of && { of }) }}>
                {of === "mine" ? "Mine" : "All"}
              </Link>
            </Tab>
          ))}
        </TabBar>
      )}
      <ArtifactList
        scope={scope}
        search={search}
        list={list}
        hasAgents={canAll}
        onChange={(part) =>
          void navigate({ search: (old) => readArtifactsSearch({ ...old, ...part }), replace: true })
        }
        onClear={() => void navigate({ search: canAll ? {} : { agent: search.agent } })}
        onOpen={(artifactId) => void navigate({ to: "/artifacts/$artifactId", params: { artifactId } })}
      />
    </Page>
  );
}

/** This service lists artifacts by agent alone (§4.8): whose should be shown? */
function PickAgent() {
  const api = useApi();
  const read = useRead(agentQueries.list(api, { sort_order: "name_asc" }));
  if (hasFailed(read)) {
    return <ReadFailure query={read} what="The agents" />;
  }
  if (read.isPending) return <SkeletonRows label="Loading agents" rows={6} columns={["20px", "2fr"]} />;
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
      <EmptyState title="No agents to list artifacts for" curl={curlOfCall(api, listAgents, {})}>
        This service lists artifacts by agent, and your key has no agents.
      </EmptyState>
    );
  }
  return (
    <>
      <p className="max-w-text pt-4 pr-edge-right pb-3 pl-edge-left text-muted">
        This service lists artifacts by agent. Choose an agent.
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
        <ListFoot>{counted(agents.length, "agent")}</ListFoot>
      </div>
    </>
  );
}

/** The artifacts of one agent, in a tab of its page. */
export function AgentArtifacts({ agentId, search }: { agentId: string; search: ArtifactsSearch }) {
  const navigate = useNavigate({ from: "/agents/$agentId/" });
  const scope = useMemo((): ArtifactScope => ({ kind: "agent", agentId }), [agentId]);
  const list = useArtifactList(scope, search);
  return (
    <ArtifactList
      scope={scope}
      search={search}
      list={list}
      hasAgents={false}
      onChange={(part) =>
        void navigate({
          search: (old) => ({ tab: "artifacts", ...readArtifactsSearch({ ...old, ...part }) }),
          replace: true,
        })
      }
      onClear={() => void navigate({ search: { tab: "artifacts" } })}
      onOpen={(artifactId) =>
        void navigate({ to: "/artifacts/$artifactId", params: { artifactId }, search: { agent: agentId } })
      }
    />
  );
}
