import { createFileRoute } from "@tanstack/react-router";
import { AgentsPage } from "../../../../areas/agents/list/AgentsPage.tsx";
import { readAgentsSearch } from "../../../../areas/agents/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/agents/")({
  validateSearch: readAgentsSearch,
  loader: startReads("agents"),
  component: () => <AgentsPage search={Route.useSearch()} />,
});
