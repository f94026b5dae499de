import { createFileRoute } from "@tanstack/react-router";
import { readVersionsSearch } from "../../../../../areas/agents/search.ts";
import { VersionsPage } from "../../../../../areas/agents/versions/VersionsPage.tsx";
import { startReads } from "../../../../loader.ts";

export const Route = createFileRoute("/_app/agents/$agentId/versions")({
  validateSearch: readVersionsSearch,
  loader: startReads("agentVersions"),
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  return <VersionsPage key={agentId} agentId={agentId} search={Route.useSearch()} />;
}
