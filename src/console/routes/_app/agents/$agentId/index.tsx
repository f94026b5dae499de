import { createFileRoute } from "@tanstack/react-router";
import { AgentPage } from "../../../../pages/agents/detail/AgentPage.tsx";
import { readAgentSearch } from "../../../../pages/agents/search.ts";

export const Route = createFileRoute("/_app/agents/$agentId/")({
  validateSearch: readAgentSearch,
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  return <AgentPage key={agentId} agentId={agentId} search={Route.useSearch()} />;
}
