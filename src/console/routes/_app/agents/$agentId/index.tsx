import { createFileRoute, redirect } from "@tanstack/react-router";
import { AgentPage } from "../../../../pages/agents/detail/AgentPage.tsx";
import { readAgentSearch } from "../../../../pages/agents/search.ts";

export const Route = createFileRoute("/_app/agents/$agentId/")({
  validateSearch: readAgentSearch,
  // Addresses from before the settings could be read by everybody.
  beforeLoad: ({ location, params }) => {
    const { tab } = location.search as { readonly tab?: unknown };
    if (tab !== "configuration") return;
    throw redirect({ to: "/agents/$agentId/settings", params, replace: true });
  },
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  return <AgentPage key={agentId} agentId={agentId} search={Route.useSearch()} />;
}
