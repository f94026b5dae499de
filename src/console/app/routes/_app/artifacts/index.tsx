import { createFileRoute } from "@tanstack/react-router";
import { ArtifactsPage } from "../../../../areas/artifacts/ArtifactsPage.tsx";
import { readArtifactsSearch } from "../../../../areas/artifacts/search.ts";

export const Route = createFileRoute("/_app/artifacts/")({
  validateSearch: readArtifactsSearch,
  component: () => <ArtifactsPage search={Route.useSearch()} />,
});
