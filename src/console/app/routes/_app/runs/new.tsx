import { createFileRoute } from "@tanstack/react-router";
import { StartRunPage } from "../../../../areas/runs/start/StartRunPage.tsx";
import { readStartSearch } from "../../../../areas/runs/start/search.ts";

export const Route = createFileRoute("/_app/runs/new")({
  validateSearch: readStartSearch,
  component: () => <StartRunPage search={Route.useSearch()} />,
});
