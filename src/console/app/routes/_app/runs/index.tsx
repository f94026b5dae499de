import { createFileRoute } from "@tanstack/react-router";
import { flowQueries } from "../../../../areas/runs/flow-queries.ts";
import { filtersOf } from "../../../../areas/runs/list/filters.ts";
import { RunsPage } from "../../../../areas/runs/list/RunsPage.tsx";
import { runPages } from "../../../../areas/runs/list-queries.ts";
import { readRunsSearch } from "../../../../areas/runs/search.ts";
import { readerOf } from "../../../loader.ts";

export const Route = createFileRoute("/_app/runs/")({
  validateSearch: readRunsSearch,
  // Not split off: it is the first page that people see, and another request costs more than its bytes.
  codeSplitGroupings: [],
  loader: (at) => {
    const reader = readerOf(at);
    if (reader === null) return;
    const { api, start } = reader;
    const filters = filtersOf(readRunsSearch(at.location.search), api.clock.now(), false);
    if (api.capabilities.can("runs")) start(runPages(api, filters).first);
    if (api.capabilities.can("saved_items")) start(flowQueries.list(api));
  },
  component: () => <RunsPage search={Route.useSearch()} />,
});
