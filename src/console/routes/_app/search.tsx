import { createFileRoute } from "@tanstack/react-router";
import { SearchPage } from "../../pages/search/SearchPage.tsx";
import { readEverywhereSearch } from "../../pages/search/search.ts";

export const Route = createFileRoute("/_app/search")({
  validateSearch: readEverywhereSearch,
  component: () => <SearchPage search={Route.useSearch()} />,
});
