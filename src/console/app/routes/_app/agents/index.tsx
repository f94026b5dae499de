import { createFileRoute } from "@tanstack/react-router";
import { AgentsPage } from "../../../../areas/agents/list/AgentsPage.tsx";
import { readAgentsSearch } from "../../../../areas/agents/search.ts";

export const Route = createFileRoute("/_app/agents/")({
  validateSearch: readAgentsSearch,
  component: () => <AgentsPage search={Route.useSearch()} />,
});
