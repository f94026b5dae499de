import * as access from "./access.ts";
import * as admin from "./admin.ts";
import * as adminKeys from "./admin-keys.ts";
import * as adminPeople from "./admin-people.ts";
import * as adminTeams from "./admin-teams.ts";
import * as agents from "./agents.ts";
import * as artifactDeletion from "./artifact-deletion.ts";
import * as artifacts from "./artifacts.ts";
import * as audit from "./audit.ts";
import * as console from "./console.ts";
import * as session from "./console-session.ts";
import * as conversationActions from "./conversation-actions.ts";
import * as diagnostics from "./diagnostics.ts";
import * as evaluations from "./evaluations.ts";
import * as files from "./files.ts";
import * as flowInputs from "./flow-inputs.ts";
import * as flows from "./flows.ts";
import * as inbox from "./inbox.ts";
import * as interactions from "./interactions.ts";
import * as knowledge from "./knowledge.ts";
import * as mcp from "./mcp.ts";
import * as mcpConnection from "./mcp-connection.ts";
import * as models from "./models.ts";
import * as programs from "./programs.ts";
import * as retention from "./retention.ts";
import * as rubricEdit from "./rubric-edit.ts";
import * as run from "./run.ts";
import * as runAgain from "./run-again.ts";
import * as runNodes from "./run-nodes.ts";
import * as runs from "./runs.ts";
import * as search from "./search.ts";
import * as sessions from "./sessions.ts";
import * as sourceDeletion from "./source-deletion.ts";
import * as start from "./start-pipeline.ts";
import * as teams from "./teams.ts";

/**
 * The whole interface as one table: what the service's routes, the mock handlers, the OpenAPI document and the tests
 * are derived from. The console imports an endpoint from its area instead, so that a page brings only its own schemas.
 * A key is the endpoint's name.
 */
export const endpoints = {
  // Agents and models
  listAgents: agents.listAgents,
  getAgent: agents.getAgent,
  updateAgent: agents.updateAgent,
  createAgent: agents.createAgent,
  listAgentVersions: agents.listAgentVersions,
  getAgentVersion: agents.getAgentVersion,
  listModels: models.listModels,
  // Conversations
  startAgent: interactions.startAgent,
  agentStatus: interactions.agentStatus,
  listSessions: sessions.listSessions,
  getSession: sessions.getSession,
  stopTurn: conversationActions.stopTurn,
  copyConversation: conversationActions.copyConversation,
  deleteConversation: conversationActions.deleteConversation,
  restoreConversation: conversationActions.restoreConversation,
  // What agents ask people
  listInbox: inbox.listInbox,
  countInbox: inbox.countInbox,
  getInboxItem: inbox.getInboxItem,
  answerInboxItem: inbox.answerInboxItem,
  getAgentApprovals: inbox.getAgentApprovals,
  // Pipelines
  startPipeline: start.startPipeline,
  getRun: run.getRun,
  killPipeline: run.killPipeline,
  listRuns: runs.listRuns,
  getRunDetails: run.getRunDetails,
  listRunsBySavedItem: run.listRunsBySavedItem,
  listRunNodes: runNodes.listRunNodes,
  getRunNode: runNodes.getRunNode,
  listRunNodeItems: runNodes.listRunNodeItems,
  previewRunAgain: runAgain.previewRunAgain,
  runAgain: runAgain.runAgain,
  listSavedItems: flows.listSavedItems,
  getInputs: flowInputs.getInputs,
  downloadFiles: files.downloadFiles,
  // Artifacts and who may open them
  listAgentArtifacts: artifacts.listAgentArtifacts,
  listArtifacts: artifacts.listArtifacts,
  getArtifactDownload: artifacts.getArtifactDownload,
  updateArtifactAccess: access.updateArtifactAccess,
  getArtifactAccess: access.getArtifactAccess,
  openSharedLink: access.openSharedLink,
  deleteArtifact: artifactDeletion.deleteArtifact,
  restoreArtifact: artifactDeletion.restoreArtifact,
  // MCP servers
  listMcpServers: mcp.listMcpServers,
  getMcpServer: mcp.getMcpServer,
  listMcpTools: mcp.listMcpTools,
  callMcpTool: mcp.callMcpTool,
  startMcpSignIn: mcpConnection.startMcpSignIn,
  disconnectMcp: mcpConnection.disconnectMcp,
  approveMcpTools: mcpConnection.approveMcpTools,
  // Evaluations
  getEvaluationMetrics: evaluations.getEvaluationMetrics,
  getEvaluationConfig: evaluations.getEvaluationConfig,
  updateEvaluationConfig: evaluations.updateEvaluationConfig,
  listEvaluationResults: evaluations.listEvaluationResults,
  runEvaluations: evaluations.runEvaluations,
  deleteEvaluation: evaluations.deleteEvaluation,
  listEvaluations: evaluations.listEvaluations,
  createEvaluation: evaluations.createEvaluation,
  getEvaluation: rubricEdit.getEvaluation,
  updateEvaluation: rubricEdit.updateEvaluation,
  listRubricResults: rubricEdit.listRubricResults,
  // Knowledge sources
  approveSource: knowledge.approveSource,
  listSources: knowledge.listSources,
  getSource: knowledge.getSource,
  getSourceEstimate: knowledge.getSourceEstimate,
  createSource: knowledge.createSource,
  addSourceFiles: knowledge.addSourceFiles,
  searchKnowledge: knowledge.searchKnowledge,
  deleteSource: sourceDeletion.deleteSource,
  restoreSource: sourceDeletion.restoreSource,
  // Retention
  getRetention: retention.getRetention,
  keepRun: retention.keepRun,
  keepConversation: retention.keepConversation,
  getDeletion: retention.getDeletion,
  // Search, teams and the console
  search: search.search,
  listTeams: teams.listTeams,
  getCapabilities: console.getCapabilities,
  createConsoleSession: session.createConsoleSession,
  signOutConsole: session.signOutConsole,
  // Administration
  getOwnRoles: admin.getOwnRoles,
  explainPermissions: admin.explainPermissions,
  listPeople: adminPeople.listPeople,
  getPerson: adminPeople.getPerson,
  invitePerson: adminPeople.invitePerson,
  updatePerson: adminPeople.updatePerson,
  renewInvitation: adminPeople.renewInvitation,
  getOwned: adminPeople.getOwned,
  handOver: adminPeople.handOver,
  listAdminTeams: adminTeams.listAdminTeams,
  getTeam: adminTeams.getTeam,
  createTeam: adminTeams.createTeam,
  updateTeam: adminTeams.updateTeam,
  listTeamMembers: adminTeams.listTeamMembers,
  setTeamMember: adminTeams.setTeamMember,
  removeTeamMember: adminTeams.removeTeamMember,
  listKeys: adminKeys.listKeys,
  createKey: adminKeys.createKey,
  revokeKey: adminKeys.revokeKey,
  listConsoleSessions: adminKeys.listConsoleSessions,
  endConsoleSession: adminKeys.endConsoleSession,
  endConsoleSessions: adminKeys.endConsoleSessions,
  getDiagnostics: diagnostics.getDiagnostics,
  getProgramRequest: programs.getProgramRequest,
  answerProgramRequest: programs.answerProgramRequest,
  listConnectedPrograms: programs.listConnectedPrograms,
  endConnectedProgram: programs.endConnectedProgram,
  listPrograms: programs.listPrograms,
  registerProgram: programs.registerProgram,
  removeProgram: programs.removeProgram,
  listAudit: audit.listAudit,
  exportAudit: audit.exportAudit,
} as const;

/** The name of any endpoint. */
export type EndpointName = keyof typeof endpoints;
