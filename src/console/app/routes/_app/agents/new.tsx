import { createFileRoute } from "@tanstack/react-router";
import { NewAgentPage } from "../../../../areas/agents/create/NewAgentPage.tsx";
import { readNewAgentSearch } from "../../../../areas/agents/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/agents/new")({
  validateSearch: readNewAgentSearch,
  loader: startReads("newAgent"),
  component: () => <NewAgentPage search={Route.useSearch()} />,
});
