import { createFileRoute } from "@tanstack/react-router";
import { AgentsPage } from "../../../../areas/agents/list/AgentsPage.tsx";
import { readAgentsSearch } from "../../../../areas/agents/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/agents/")({
  validateSearch: readAgentsSearch,
  loader: (at) =>
    startReads(at, (reads, reader) => reads.agents(reader, readAgentsSearch(at.location.search))),
  component: () => <AgentsPage search={Route.useSearch()} />,
});
