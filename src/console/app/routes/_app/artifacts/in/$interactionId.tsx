import { createFileRoute } from "@tanstack/react-router";
import { FindArtifact } from "../../../../../areas/artifacts/FindArtifact.tsx";
import { readFindSearch } from "../../../../../areas/artifacts/search.ts";

export const Route = createFileRoute("/_app/artifacts/in/$interactionId")({
  validateSearch: readFindSearch,
  component: Page,
});

function Page() {
  const { interactionId } = Route.useParams();
  return <FindArtifact interactionId={interactionId} search={Route.useSearch()} />;
}
