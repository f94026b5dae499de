import { createFileRoute, Navigate, useLocation } from "@tanstack/react-router";
import { AgentPage } from "../../../../../areas/agents/AgentPage.tsx";
import { readAgentSearch } from "../../../../../areas/agents/search.ts";
import { startReads } from "../../../../loader.ts";

export const Route = createFileRoute("/_app/agents/$agentId/")({
  validateSearch: readAgentSearch,
  loader: startReads("agent"),
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  const search = Route.useSearch();
  const { tab }: { readonly tab?: unknown } = useLocation().search;
  // An address from when the settings had a second place, to be read.
  if (tab === "configuration")
    return <Navigate to="/agents/$agentId/settings" params={{ agentId }} replace />;
  return <AgentPage key={agentId} agentId={agentId} search={search} />;
}
