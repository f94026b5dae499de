import { createFileRoute } from "@tanstack/react-router";
import { KnowledgePage } from "../../../pages/knowledge/KnowledgePage.tsx";
import { readKnowledgeSearch } from "../../../pages/knowledge/search.ts";

export const Route = createFileRoute("/_app/knowledge/")({
  validateSearch: readKnowledgeSearch,
  component: () => <KnowledgePage list={Route.useSearch()} />,
});
