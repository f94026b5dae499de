import { createFileRoute } from "@tanstack/react-router";
import { RunsPage } from "../../../../areas/runs/list/RunsPage.tsx";
import { readRunsSearch } from "../../../../areas/runs/search.ts";
import { startNow } from "../../../loader.ts";
import { runs } from "../../../runs-reads.ts";

export const Route = createFileRoute("/_app/runs/")({
  validateSearch: readRunsSearch,
  // Not split off: it is the first page that people see, and another request costs more than its bytes.
  codeSplitGroupings: [],
  loader: startNow(runs),
  component: () => <RunsPage search={Route.useSearch()} />,
});
