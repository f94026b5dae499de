import { createFileRoute } from "@tanstack/react-router";
import { NewConversationPage } from "../../../../../../areas/conversations/NewConversationPage.tsx";
import { startReads } from "../../../../../loader.ts";

export const Route = createFileRoute("/_app/agents/$agentId/conversations/new")({
  loader: startReads("newConversation"),
  component: Page,
});

function Page() {
  const { agentId } = Route.useParams();
  return <NewConversationPage key={agentId} agentId={agentId} />;
}
