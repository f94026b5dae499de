import { createFileRoute } from "@tanstack/react-router";
import { readSettingsSearch } from "../../../../../areas/agents/search.ts";
import { SettingsPage } from "../../../../../areas/agents/settings/SettingsPage.tsx";
import { startReads } from "../../../../loader.ts";

export const Route = createFileRoute("/_app/agents/$agentId/settings")({
  validateSearch: readSettingsSearch,
  loader: startReads("agentSettings"),
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  return <SettingsPage key={agentId} agentId={agentId} search={Route.useSearch()} />;
}
