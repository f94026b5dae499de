import { createFileRoute } from "@tanstack/react-router";
import { KnowledgePage } from "../../../../areas/knowledge/KnowledgePage.tsx";
import { readSourceSearch } from "../../../../areas/knowledge/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/knowledge/$sourceId")({
  validateSearch: readSourceSearch,
  loader: startReads("knowledge"),
  component: Source,
});

function Source() {
  return <KnowledgePage sourceId={Route.useParams().sourceId} search={Route.useSearch()} />;
}
