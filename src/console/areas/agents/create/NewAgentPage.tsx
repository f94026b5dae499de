import { Link } from "@tanstack/react-router";
import { isNotFound } from "../../../api/errors.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { buttonClass } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { AgentMissing, agentQueries } from "../../directory/index.ts";

import { draftOf } from "../agent/agent-draft.ts";
import { agentName } from "../labels.ts";
import type { NewAgentSearch } from "../search.ts";
import { NewAgentForm } from "./NewAgentForm.tsx";

/** Makes an agent, from nothing or as a copy of another. */
export function NewAgentPage({ search }: { search: NewAgentSearch }) {
  const { who } = useApi();
  const canCreate = useCan("agent_create");
  return (
    <Page
      title={search.from === undefined ? "New agent" : "Copy of an agent"}
      parents={[{ key: "agents", link: <Link to="/agents">Agents</Link> }]}
      heading={search.from === undefined ? "New agent" : "Copy of an agent"}
    >
      {!canCreate ? (
        <Nowhere title="This service makes no agents for programs">
          It has no call to create one. Where agents are made otherwise, they appear in the list by
          themselves.
        </Nowhere>
      ) : who.kind === "team" ? (
        <Nowhere title="A team key makes no agents">
          An agent has a person as its maker. Sign in with a personal key; you may give the agent to the team
          at once.
        </Nowhere>
      ) : search.from === undefined ? (
        <NewAgentForm key="blank" source={null} />
      ) : (
        <CopyOf key={search.from} agentId={search.from} />
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
  if (!read.isError) return <SkeletonRows label="Reading the agent" rows={6} columns={["120px", "1fr"]} />;
  if (isNotFound(read.error)) return <AgentMissing agentId={agentId} error={read.error} />;
  return (
    <ReadFailure
      query={read}
      what="The agent"
      actions={
        <Link to="/agents/new" className={buttonClass("plain", "small")}>
          Begin with nothing
        </Link>
      }
    />
  );
}

function Nowhere({ title, children }: { title: string; children: string }) {
  return (
    <EmptyState
      title={title}
      actions={
        <Link to="/agents" className={buttonClass("plain")}>
          All agents
        </Link>
      }
    >
      {children}
    </EmptyState>
  );
}
