import { createFileRoute } from "@tanstack/react-router";
import { AcrossPage } from "../../pages/evaluations/AcrossPage.tsx";
import { readAcrossSearch } from "../../pages/evaluations/search.ts";

export const Route = createFileRoute("/_app/evaluations")({
  validateSearch: readAcrossSearch,
  component: () => <AcrossPage search={Route.useSearch()} />,
});
