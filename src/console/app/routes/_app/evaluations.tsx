import { createFileRoute } from "@tanstack/react-router";
import { AcrossPage } from "../../../areas/evaluations/AcrossPage.tsx";
import { readAcrossSearch } from "../../../areas/evaluations/search.ts";
import { startReads } from "../../loader.ts";

export const Route = createFileRoute("/_app/evaluations")({
  validateSearch: readAcrossSearch,
  loader: startReads("evaluations"),
  component: () => <AcrossPage search={Route.useSearch()} />,
});
