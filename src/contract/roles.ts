import type { EndpointName } from "./endpoints.ts";

/** What somebody is in the whole installation, weakest first. */
export const installationRoles = ["member", "admin"] as const;
export type InstallationRole = (typeof installationRoles)[number];

/** What somebody is in a team, weakest first: each may do what the one before may. */
export const teamRoles = ["viewer", "operator", "editor", "admin"] as const;
export type TeamRole = (typeof teamRoles)[number];

/** What may be done with what belongs to a team, in the order of the roles that have it first. */
export const teamRights = ["see", "operate", "edit", "manage"] as const;
export type TeamRight = (typeof teamRights)[number];

/** The rights of each role of a team. */
export const rightsOfRole: Readonly<Record<TeamRole, readonly TeamRight[]>> = {
  viewer: ["see"],
  operator: ["see", "operate"],
  editor: ["see", "operate", "edit"],
  admin: ["see", "operate", "edit", "manage"],
};

/** The weakest role with this right. */
export function neededRole(right: TeamRight): TeamRole {
  return teamRoles.find((role) => rightsOfRole[role].includes(right)) ?? "admin";
}

/**
 * What an endpoint takes. Of what belongs to a team: a right that the caller's role in that team has. `own`: any person, about
 * themselves. `administer`: an admin of the installation. `open`: no credential. A person's own things are theirs to do
 * anything with, whatever they are in a team.
 */
export type Needed = TeamRight | "own" | "administer" | "open";

/** The table of roles: what each endpoint takes. It is total: an endpoint that is missing does not compile. */
const table: Readonly<Record<EndpointName, Needed>> = {
  listAgents: "see",
  getAgent: "see",
  updateAgent: "edit",
  createAgent: "edit",
  listAgentVersions: "see",
  getAgentVersion: "see",
  listModels: "see",
  startAgent: "operate",
  agentStatus: "see",
  listSessions: "see",
  getSession: "see",
  stopTurn: "operate",
  copyConversation: "operate",
  deleteConversation: "operate",
  restoreConversation: "operate",
  listInbox: "see",
  countInbox: "see",
  getInboxItem: "see",
  answerInboxItem: "operate",
  getAgentApprovals: "see",
  startPipeline: "operate",
  getRun: "see",
  killPipeline: "operate",
  listRuns: "see",
  getRunDetails: "see",
  listRunNodes: "see",
  getRunNode: "see",
  listRunNodeItems: "see",
  previewRunAgain: "operate",
  runAgain: "operate",
  listRunsBySavedItem: "see",
  listSavedItems: "see",
  getInputs: "see",
  downloadFiles: "operate",
  listAgentArtifacts: "see",
  listArtifacts: "see",
  getArtifactDownload: "see",
  updateArtifactAccess: "operate",
  getArtifactAccess: "see",
  openSharedLink: "open",
  deleteArtifact: "operate",
  restoreArtifact: "operate",
  listMcpServers: "see",
  getMcpServer: "see",
  listMcpTools: "see",
  callMcpTool: "operate",
  startMcpSignIn: "edit",
  disconnectMcp: "edit",
  approveMcpTools: "edit",
  getEvaluationMetrics: "see",
  getEvaluationConfig: "see",
  updateEvaluationConfig: "edit",
  listEvaluationResults: "see",
  runEvaluations: "operate",
  deleteEvaluation: "edit",
  listEvaluations: "see",
  createEvaluation: "edit",
  getEvaluation: "see",
  updateEvaluation: "edit",
  listRubricResults: "see",
  approveSource: "edit",
  listSources: "see",
  getSource: "see",
  getSourceEstimate: "see",
  createSource: "edit",
  addSourceFiles: "edit",
  searchKnowledge: "see",
  deleteSource: "edit",
  restoreSource: "edit",
  getRetention: "see",
  keepRun: "operate",
  keepConversation: "operate",
  getDeletion: "see",
  search: "see",
  listTeams: "see",
  getCapabilities: "own",
  createConsoleSession: "open",
  signOutConsole: "own",
  getOwnRoles: "own",
  explainPermissions: "own",
  listPeople: "manage",
  getPerson: "own",
  invitePerson: "administer",
  updatePerson: "administer",
  renewInvitation: "administer",
  getOwned: "administer",
  handOver: "administer",
  listAdminTeams: "see",
  getTeam: "see",
  createTeam: "administer",
  updateTeam: "manage",
  listTeamMembers: "see",
  setTeamMember: "manage",
  removeTeamMember: "manage",
  listKeys: "manage",
  createKey: "manage",
  revokeKey: "manage",
  listConsoleSessions: "own",
  endConsoleSession: "own",
  endConsoleSessions: "own",
  getDiagnostics: "administer",
  getProgramRequest: "own",
  answerProgramRequest: "own",
  listConnectedPrograms: "own",
  endConnectedProgram: "own",
  listPrograms: "administer",
  registerProgram: "administer",
  removeProgram: "administer",
  listAudit: "own",
  exportAudit: "own",
};

/** What an endpoint takes. What stands outside the table, as in tests, takes an editor where it changes something. */
export function neededRight({
  name,
  kind,
}: {
  readonly name: string;
  readonly kind: "read" | "write";
}): Needed {
  const known = Object.entries(table).find(([each]) => each === name)?.[1];
  return known ?? (kind === "write" ? "edit" : "see");
}
