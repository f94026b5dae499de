import { createFileRoute } from "@tanstack/react-router";
import { StartRunPage } from "../../../pages/runs/start/StartRunPage.tsx";
import { readStartSearch } from "../../../pages/runs/start/search.ts";

export const Route = createFileRoute("/_app/runs/new")({
  validateSearch: readStartSearch,
  component: () => <StartRunPage search={Route.useSearch()} />,
});
