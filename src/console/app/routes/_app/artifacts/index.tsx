import { createFileRoute } from "@tanstack/react-router";
import { ArtifactsPage } from "../../../../areas/artifacts/ArtifactsPage.tsx";
import { readArtifactsSearch } from "../../../../areas/artifacts/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/artifacts/")({
  validateSearch: readArtifactsSearch,
  loader: startReads("artifacts"),
  component: () => <ArtifactsPage search={Route.useSearch()} />,
});
