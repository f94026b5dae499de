import type { endpoints } from "../../contract/endpoints.ts";
import { accessHandlers } from "./access.ts";
import { adminKeyHandlers } from "./admin-keys.ts";
import { adminOwnedHandlers } from "./admin-owned.ts";
import { adminPeopleHandlers } from "./admin-people.ts";
import { adminProgramHandlers } from "./admin-programs.ts";
import { adminRoleHandlers } from "./admin-roles.ts";
import { adminTeamHandlers } from "./admin-teams.ts";
import { agentVersionHandlers } from "./agent-versions.ts";
import { agentHandlers } from "./agents.ts";
import { artifactDeletionHandlers } from "./artifact-deletion.ts";
import { artifactHandlers } from "./artifacts.ts";
import { auditHandlers } from "./audit.ts";
import { capabilityHandlers } from "./capabilities.ts";
import { consoleHandlers } from "./console.ts";
import { conversationActionHandlers } from "./conversation-actions.ts";
import { copyConversationHandlers } from "./copy-conversation.ts";
import { deletionHandlers } from "./deletions.ts";
import { diagnosticsHandlers } from "./diagnostics.ts";
import { evaluationResultHandlers } from "./evaluation-results.ts";
import { evaluationHandlers } from "./evaluations.ts";
import { fileHandlers } from "./files.ts";
import { flowHandlers } from "./flows.ts";
import type { Handlers } from "./handler.ts";
import { inboxHandlers } from "./inbox.ts";
import { interactionHandlers } from "./interactions.ts";
import { knowledgeHandlers } from "./knowledge.ts";
import { knowledgeFileHandlers } from "./knowledge-files.ts";
import { mcpHandlers } from "./mcp.ts";
import { mcpConnectionHandlers } from "./mcp-connections.ts";
import { mcpToolHandlers } from "./mcp-tools.ts";
import { modelHandlers } from "./models.ts";
import { programHandlers } from "./programs.ts";
import { retentionHandlers } from "./retention.ts";
import { rubricEditHandlers } from "./rubric-edit.ts";
import { rubricHandlers } from "./rubrics.ts";
import { runAgainHandlers } from "./run-again.ts";
import { runNodeHandlers } from "./run-nodes.ts";
import { runHandlers } from "./runs.ts";
import { searchHandlers } from "./search.ts";
import { sessionHandlers } from "./sessions.ts";
import { sharedLinkHandlers } from "./shared.ts";
import { sourceDeletionHandlers } from "./source-deletion.ts";
import { teamHandlers } from "./teams.ts";

/** The function behind each endpoint of the table; forgetting one is a compile error. */
export const allHandlers: Handlers<typeof endpoints> = {
  ...accessHandlers,
  ...adminKeyHandlers,
  ...adminOwnedHandlers,
  ...adminPeopleHandlers,
  ...adminProgramHandlers,
  ...adminRoleHandlers,
  ...adminTeamHandlers,
  ...agentHandlers,
  ...agentVersionHandlers,
  ...artifactDeletionHandlers,
  ...artifactHandlers,
  ...auditHandlers,
  ...capabilityHandlers(() => Object.keys(allHandlers)),
  ...consoleHandlers,
  ...conversationActionHandlers,
  ...copyConversationHandlers,
  ...deletionHandlers,
  ...diagnosticsHandlers,
  ...evaluationHandlers,
  ...evaluationResultHandlers,
  ...fileHandlers,
  ...flowHandlers,
  ...inboxHandlers,
  ...interactionHandlers,
  ...knowledgeFileHandlers,
  ...knowledgeHandlers,
  ...mcpConnectionHandlers,
  ...mcpHandlers,
  ...mcpToolHandlers,
  ...modelHandlers,
  ...programHandlers,
  ...retentionHandlers,
  ...rubricEditHandlers,
  ...rubricHandlers,
  ...runAgainHandlers,
  ...runHandlers,
  ...runNodeHandlers,
  ...searchHandlers,
  ...sessionHandlers,
  ...sharedLinkHandlers,
  ...sourceDeletionHandlers,
  ...teamHandlers,
};
