import { createFileRoute } from "@tanstack/react-router";
import { AcrossPage } from "../../../areas/evaluations/AcrossPage.tsx";
import { readAcrossSearch } from "../../../areas/evaluations/search.ts";

export const Route = createFileRoute("/_app/evaluations")({
  validateSearch: readAcrossSearch,
  component: () => <AcrossPage search={Route.useSearch()} />,
});
