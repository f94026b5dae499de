import { Link } from "@tanstack/react-router";
import { isNotFound } from "../../../api/errors.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { later } from "../../../ui/later.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { AgentMissing, agentQueries } from "../../directory/index.ts";
import { draftOf } from "../agent/agent-draft.ts";
import { agentName } from "../labels.ts";
import type { NewAgentSearch } from "../search.ts";

/** The library of forms is heavy: whoever may not make an agent does not wait for it. */
const NewAgentForm = later(() => import("./NewAgentForm.tsx"));
const loading = <SkeletonRows label="Loading the form" rows={6} columns={["120px", "1fr"]} />;

/** Makes an agent, from nothing or as a copy of another. */
export function NewAgentPage({ search }: { search: NewAgentSearch }) {
  const { who } = useApi();
  const canCreate = useCan("agent_create");
  return (
    <Page
      title={search.from === undefined ? "New agent" : "Copy agent"}
      parents={[{ key: "agents", link: <Link to="/agents">Agents</Link> }]}
      heading={search.from === undefined ? "New agent" : "Copy agent"}
    >
      {!canCreate ? (
        <Nowhere title="Agents can’t be created here">
          This service’s API has no way to create agents. Agents created elsewhere appear in the list.
        </Nowhere>
      ) : who.kind === "team" ? (
        <Nowhere title="Team keys can’t create agents">
          Sign in with a personal key. You can make the team its owner right away.
        </Nowhere>
      ) : (
        <LazyPart fallback={loading}>
          {search.from === undefined ? (
            <NewAgentForm key="blank" source={null} />
          ) : (
            <CopyOf key={search.from} agentId={search.from} />
          )}
        </LazyPart>
      )}
    </Page>
  );
}

/** The form, once the agent that is copied has been read. */
function CopyOf({ agentId }: { agentId: string }) {
  const read = useRead(agentQueries.one(useApi(), agentId));
  const agent = read.data?.data.agent;
  if (agent) {
    const name = agentName({ id: agentId, name: agent.name });
    return <NewAgentForm source={{ agentId, name, teamId: agent.team_id ?? null, draft: draftOf(agent) }} />;
  }
  if (!read.isError) return <SkeletonRows label="Loading the agent" rows={6} columns={["120px", "1fr"]} />;
  if (isNotFound(read.error)) return <AgentMissing agentId={agentId} error={read.error} />;
  return (
    <ReadFailure
      query={read}
      what="The agent"
      actions={
        <LinkButton to="/agents/new" size="small">
          Start from scratch
        </LinkButton>
      }
    />
  );
}

function Nowhere({ title, children }: { title: string; children: string }) {
  return (
    <EmptyState title={title} actions={<LinkButton to="/agents">All agents</LinkButton>}>
      {children}
    </EmptyState>
  );
}
