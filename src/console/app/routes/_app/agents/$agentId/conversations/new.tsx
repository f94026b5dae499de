import { createFileRoute } from "@tanstack/react-router";
import { NewConversationPage } from "../../../../../../areas/conversations/NewConversationPage.tsx";

export const Route = createFileRoute("/_app/agents/$agentId/conversations/new")({ component: Page });

function Page() {
  const { agentId } = Route.useParams();
  return <NewConversationPage key={agentId} agentId={agentId} />;
}
