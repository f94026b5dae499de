import { createFileRoute } from "@tanstack/react-router";
import { InboxPage } from "../../../../areas/inbox/InboxPage.tsx";
import { readInboxSearch } from "../../../../areas/inbox/search.ts";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/inbox/$itemId")({
  validateSearch: readInboxSearch,
  loader: startReads("inbox"),
  component: Question,
});

function Question() {
  return <InboxPage itemId={Route.useParams().itemId} search={Route.useSearch()} />;
}
