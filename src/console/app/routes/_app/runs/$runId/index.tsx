import { createFileRoute } from "@tanstack/react-router";
import { RunPage } from "../../../../../areas/runs/detail/RunPage.tsx";
import { readRunSearch } from "../../../../../areas/runs/search.ts";
import { startReads } from "../../../../loader.ts";

export const Route = createFileRoute("/_app/runs/$runId/")({
  validateSearch: readRunSearch,
  loader: startReads("run"),
  component: Page,
});

function Page() {
  const { runId } = Route.useParams();
  return <RunPage key={runId} runId={runId} search={Route.useSearch()} />;
}
