import { createFileRoute } from "@tanstack/react-router";
import { EvaluationsPage } from "../../../../../areas/evaluations/agent/EvaluationsPage.tsx";
import { readEvaluationsSearch } from "../../../../../areas/evaluations/search.ts";
import { startReads } from "../../../../loader.ts";

export const Route = createFileRoute("/_app/agents/$agentId/evaluations")({
  validateSearch: readEvaluationsSearch,
  loader: startReads("agentEvaluations"),
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  return <EvaluationsPage key={agentId} agentId={agentId} search={Route.useSearch()} />;
}
