import { createFileRoute } from "@tanstack/react-router";
import { readStartSearch } from "../../../../areas/runs/search.ts";
import { StartRunPage } from "../../../../areas/runs/start/StartRunPage.tsx";

export const Route = createFileRoute("/_app/runs/new")({
  validateSearch: readStartSearch,
  component: () => <StartRunPage search={Route.useSearch()} />,
});
