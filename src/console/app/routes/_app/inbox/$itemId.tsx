import { createFileRoute } from "@tanstack/react-router";
import { readInboxSearch } from "../../../../areas/inbox/search.ts";
import { InboxOfAll } from "../../../InboxOfAll.tsx";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/inbox/$itemId")({
  validateSearch: readInboxSearch,
  loader: startReads("inbox"),
  component: Question,
});

function Question() {
  return <InboxOfAll itemId={Route.useParams().itemId} search={Route.useSearch()} />;
}
