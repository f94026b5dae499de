import { createFileRoute } from "@tanstack/react-router";
import { ComparePage } from "../../../../areas/runs/compare/ComparePage.tsx";
import { readCompareSearch } from "../../../../areas/runs/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/runs/compare")({
  validateSearch: readCompareSearch,
  loader: startReads("comparedRuns"),
  component: () => <ComparePage search={Route.useSearch()} />,
});
