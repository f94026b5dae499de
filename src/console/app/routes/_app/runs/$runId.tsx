import { createFileRoute } from "@tanstack/react-router";
import { RunPage } from "../../../../areas/runs/detail/RunPage.tsx";
import { readRunSearch } from "../../../../areas/runs/search.ts";

export const Route = createFileRoute("/_app/runs/$runId")({
  validateSearch: readRunSearch,
  component: Page,
});

function Page() {
  const { runId } = Route.useParams();
  return <RunPage key={runId} runId={runId} search={Route.useSearch()} />;
}
