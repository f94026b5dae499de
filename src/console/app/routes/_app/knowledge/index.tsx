import { createFileRoute } from "@tanstack/react-router";
import { KnowledgePage } from "../../../../areas/knowledge/KnowledgePage.tsx";
import { readKnowledgeSearch } from "../../../../areas/knowledge/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/knowledge/")({
  validateSearch: readKnowledgeSearch,
  loader: startReads("knowledge"),
  component: () => <KnowledgePage list={Route.useSearch()} />,
});
