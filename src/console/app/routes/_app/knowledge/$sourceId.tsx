import { createFileRoute } from "@tanstack/react-router";
import { KnowledgePage } from "../../../../areas/knowledge/KnowledgePage.tsx";
import { readSourceSearch } from "../../../../areas/knowledge/search.ts";

export const Route = createFileRoute("/_app/knowledge/$sourceId")({
  validateSearch: readSourceSearch,
  component: Source,
});

function Source() {
  return <KnowledgePage sourceId={Route.useParams().sourceId} search={Route.useSearch()} />;
}
