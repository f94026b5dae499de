import { createFileRoute } from "@tanstack/react-router";
import { ConversationPage } from "../../../../../../areas/conversations/ConversationPage.tsx";
import { readConversationSearch } from "../../../../../../areas/conversations/search.ts";
import { startReads } from "../../../../../loader.ts";

export const Route = createFileRoute("/_app/agents/$agentId/conversations/$interactionId")({
  validateSearch: readConversationSearch,
  loader: startReads("conversation"),
  component: Page,
});

function Page() {
  const { agentId, interactionId } = Route.useParams();
  return (
    <ConversationPage
      key={interactionId}
      agentId={agentId}
      interactionId={interactionId}
      search={Route.useSearch()}
    />
  );
}
