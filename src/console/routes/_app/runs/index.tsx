import { createFileRoute } from "@tanstack/react-router";
import { RunsPage } from "../../../pages/runs/list/RunsPage.tsx";
import { readRunsSearch } from "../../../pages/runs/list/search.ts";

export const Route = createFileRoute("/_app/runs/")({
  validateSearch: readRunsSearch,
  component: () => <RunsPage search={Route.useSearch()} />,
});
