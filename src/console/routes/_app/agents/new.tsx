import { createFileRoute } from "@tanstack/react-router";
import { NewAgentPage } from "../../../pages/agents/create/NewAgentPage.tsx";
import { readNewAgentSearch } from "../../../pages/agents/create/search.ts";

export const Route = createFileRoute("/_app/agents/new")({
  validateSearch: readNewAgentSearch,
  component: () => <NewAgentPage search={Route.useSearch()} />,
});
