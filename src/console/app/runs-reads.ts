import { flowQueries } from "../areas/runs/flow-queries.ts";
import { filtersOf } from "../areas/runs/list/filters.ts";
import { runPages } from "../areas/runs/list-queries.ts";
import { readRunsSearch } from "../areas/runs/search.ts";
import type { Reader, To } from "./reads.ts";

/** What the runs list reads first. Apart from the other reads: the list is in the first script, and waits for no other. */
export function runs({ api, start }: Reader, { location: { search } }: To): void {
  const filters = filtersOf(readRunsSearch(search), api.clock.now(), false);
  if (api.capabilities.can("runs")) start(runPages(api, filters).first);
  if (api.capabilities.can("saved_items")) start(flowQueries.list(api));
}
