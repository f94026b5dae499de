import { createFileRoute } from "@tanstack/react-router";
import { InboxPage } from "../../../../areas/inbox/InboxPage.tsx";
import { readInboxSearch } from "../../../../areas/inbox/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/inbox/")({
  validateSearch: readInboxSearch,
  loader: startReads("inbox"),
  component: () => <InboxPage search={Route.useSearch()} />,
});
