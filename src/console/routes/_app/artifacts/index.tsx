import { createFileRoute } from "@tanstack/react-router";
import { readArtifactsSearch } from "../../../components/artifact/list/search.ts";
import { ArtifactsPage } from "../../../pages/artifacts/ArtifactsPage.tsx";

export const Route = createFileRoute("/_app/artifacts/")({
  validateSearch: readArtifactsSearch,
  component: () => <ArtifactsPage search={Route.useSearch()} />,
});
