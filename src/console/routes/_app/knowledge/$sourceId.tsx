import { createFileRoute } from "@tanstack/react-router";
import { KnowledgePage } from "../../../pages/knowledge/KnowledgePage.tsx";
import { readSourceSearch } from "../../../pages/knowledge/search.ts";

export const Route = createFileRoute("/_app/knowledge/$sourceId")({
  validateSearch: readSourceSearch,
  component: Source,
});

function Source() {
  return <KnowledgePage sourceId={Route.useParams().sourceId} search={Route.useSearch()} />;
}
