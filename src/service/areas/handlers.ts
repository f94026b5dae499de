import type { endpoints } from "../../contract/endpoints.ts";
import { access } from "./access.ts";
import { adminKeys } from "./admin-keys.ts";
import { adminOwned } from "./admin-owned.ts";
import { adminPeople } from "./admin-people.ts";
import { adminPrograms } from "./admin-programs.ts";
import { adminRoles } from "./admin-roles.ts";
import { adminTeams } from "./admin-teams.ts";
import { agentVersions } from "./agent-versions.ts";
import { agents } from "./agents.ts";
import { artifactDeletion } from "./artifact-deletion.ts";
import { artifacts } from "./artifacts.ts";
import { audit } from "./audit.ts";
import { capabilityHandlers } from "./capabilities.ts";
import { consoleHandlers } from "./console.ts";
import { conversationActions } from "./conversation-actions.ts";
import { conversationCopies } from "./copy-conversation.ts";
import { deletions } from "./deletions.ts";
import { diagnostics } from "./diagnostics.ts";
import { evaluationResults } from "./evaluation-results.ts";
import { evaluations } from "./evaluations.ts";
import { files } from "./files.ts";
import { flows } from "./flows.ts";
import type { Handlers } from "./handler.ts";
import { inbox } from "./inbox.ts";
import { interactions } from "./interactions.ts";
import { knowledge } from "./knowledge.ts";
import { knowledgeFiles } from "./knowledge-files.ts";
import { mcp } from "./mcp.ts";
import { mcpConnections } from "./mcp-connections.ts";
import { mcpTools } from "./mcp-tools.ts";
import { models } from "./models.ts";
import { connectedPrograms } from "./programs.ts";
import { retentionHandlers } from "./retention.ts";
import { rubricEdit } from "./rubric-edit.ts";
import { rubrics } from "./rubrics.ts";
import { runAgainHandlers } from "./run-again.ts";
import { runNodes } from "./run-nodes.ts";
import { runs } from "./runs.ts";
import { searchHandlers } from "./search.ts";
import { sessions } from "./sessions.ts";
import { shared } from "./shared.ts";
import { sourceDeletion } from "./source-deletion.ts";
import { teamHandlers } from "./teams.ts";

/** The function behind each endpoint of the table; forgetting one is a compile error. */
export const allHandlers: Handlers<typeof endpoints> = {
  ...access,
  ...adminKeys,
  ...adminOwned,
  ...adminPeople,
  ...adminPrograms,
  ...adminRoles,
  ...adminTeams,
  ...agents,
  ...agentVersions,
  ...artifactDeletion,
  ...artifacts,
  ...audit,
  ...capabilityHandlers(() => Object.keys(allHandlers)),
  ...connectedPrograms,
  ...consoleHandlers,
  ...conversationActions,
  ...conversationCopies,
  ...evaluationResults,
  ...evaluations,
  ...files,
  ...flows,
  ...inbox,
  ...interactions,
  ...knowledge,
  ...knowledgeFiles,
  ...mcp,
  ...mcpConnections,
  ...mcpTools,
  ...models,
  ...retentionHandlers,
  ...deletions,
  ...diagnostics,
  ...rubricEdit,
  ...rubrics,
  ...runNodes,
  ...runs,
  ...runAgainHandlers,
  ...searchHandlers,
  ...sessions,
  ...shared,
  ...sourceDeletion,
  ...teamHandlers,
};
