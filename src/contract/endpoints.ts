import * as agents from "./agents.ts";
import * as console from "./console.ts";
import * as files from "./files.ts";
import * as flows from "./flows.ts";
import * as interactions from "./interactions.ts";
import * as models from "./models.ts";
import * as runs from "./runs.ts";
import * as sessions from "./sessions.ts";
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
  // Pipelines
  startPipeline: runs.startPipeline,
  getRun: runs.getRun,
  killPipeline: runs.killPipeline,
  listRuns: runs.listRuns,
  getRunDetails: runs.getRunDetails,
  listRunsBySavedItem: runs.listRunsBySavedItem,
  listSavedItems: flows.listSavedItems,
  getInputs: flows.getInputs,
  downloadFiles: files.downloadFiles,
  // Teams and the console
  listTeams: teams.listTeams,
  getCapabilities: console.getCapabilities,
  createConsoleSession: console.createConsoleSession,
} as const;

/** The name of any endpoint. */
export type EndpointName = keyof typeof endpoints;
