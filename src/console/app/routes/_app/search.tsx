import { createFileRoute } from "@tanstack/react-router";
import { SearchPage } from "../../../areas/search/SearchPage.tsx";
import { type EverywhereSearch, readEverywhereSearch } from "../../../areas/search/search.ts";
import { startReads } from "../../loader.ts";

export const Route = createFileRoute("/_app/search")({
  // Read with the page, so that what reads it is loaded with the page.
  validateSearch: (raw: Record<string, unknown>): EverywhereSearch => raw,
  loader: startReads("everywhere"),
  component: () => <SearchPage search={readEverywhereSearch({ ...Route.useSearch() })} />,
});
