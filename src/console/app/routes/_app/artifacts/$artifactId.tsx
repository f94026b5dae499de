import { createFileRoute } from "@tanstack/react-router";
import { ArtifactPage } from "../../../../areas/artifacts/ArtifactPage.tsx";
import { readArtifactSearch } from "../../../../areas/artifacts/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/artifacts/$artifactId")({
  validateSearch: readArtifactSearch,
  loader: startReads("artifact"),
  component: Page,
});

function Page() {
  const { artifactId } = Route.useParams();
  return <ArtifactPage key={artifactId} artifactId={artifactId} search={Route.useSearch()} />;
}
