import { createFileRoute } from "@tanstack/react-router";
import { ArtifactsPage } from "../../../../areas/artifacts/ArtifactsPage.tsx";
import { readArtifactsSearch } from "../../../../areas/artifacts/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/artifacts/")({
  validateSearch: readArtifactsSearch,
  loader: (at) =>
    startReads(at, (reads, reader) => reads.artifacts(reader, readArtifactsSearch(at.location.search))),
  component: () => <ArtifactsPage search={Route.useSearch()} />,
});
