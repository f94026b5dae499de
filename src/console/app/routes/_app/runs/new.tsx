import { createFileRoute } from "@tanstack/react-router";
import { readStartSearch } from "../../../../areas/runs/search.ts";
import { StartRunPage } from "../../../../areas/runs/start/StartRunPage.tsx";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/runs/new")({
  validateSearch: readStartSearch,
  loader: startReads("newRun"),
  component: () => <StartRunPage search={Route.useSearch()} />,
});
