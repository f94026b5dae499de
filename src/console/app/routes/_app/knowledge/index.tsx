import { createFileRoute } from "@tanstack/react-router";
import { KnowledgePage } from "../../../../areas/knowledge/KnowledgePage.tsx";
import { readKnowledgeSearch } from "../../../../areas/knowledge/search.ts";

export const Route = createFileRoute("/_app/knowledge/")({
  validateSearch: readKnowledgeSearch,
  component: () => <KnowledgePage list={Route.useSearch()} />,
});
