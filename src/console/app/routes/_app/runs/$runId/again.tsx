import { createFileRoute } from "@tanstack/react-router";
import { AgainPage } from "../../../../../areas/runs/again/AgainPage.tsx";
import { readAgainSearch } from "../../../../../areas/runs/search.ts";
import { startReads } from "../../../../loader.ts";

export const Route = createFileRoute("/_app/runs/$runId/again")({
  validateSearch: readAgainSearch,
  loader: startReads("runAgain"),
  component: Page,
});

function Page() {
  const { runId } = Route.useParams();
  return <AgainPage key={runId} runId={runId} search={Route.useSearch()} />;
}
