import { createFileRoute } from "@tanstack/react-router";
import { EvaluationsPage } from "../../../../../areas/evaluations/agent/EvaluationsPage.tsx";
import { readEvaluationsSearch } from "../../../../../areas/evaluations/search.ts";
import { startReads } from "../../../../loader.ts";

export const Route = createFileRoute("/_app/agents/$agentId/evaluations")({
  validateSearch: readEvaluationsSearch,
  loader: (at) =>
    startReads(at, (reads, reader) =>
      reads.agentEvaluations(reader, at.params.agentId, readEvaluationsSearch(at.location.search)),
    ),
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  return <EvaluationsPage key={agentId} agentId={agentId} search={Route.useSearch()} />;
}
