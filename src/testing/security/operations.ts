import type { EndpointName } from "../../contract/endpoints.ts";
import type { allHandlers } from "../../service/areas/handlers.ts";
import { adminOperations } from "./admin-operations.ts";
import { inboxOperations } from "./inbox-operations.ts";
import { learningOperations } from "./learning-operations.ts";
import { agentOf, type Relation } from "./objects.ts";
import { type Column, claim, type Principal } from "./people.ts";
import { programOperations } from "./program-operations.ts";
import {
  byAgent,
  everybody,
  granted,
  listed,
  noAccess,
  nothingThere,
  ofAgent,
  ofTeams,
  type Parts,
  type Question,
  refused,
  refusedWith,
  visible,
} from "./questions.ts";
import { runOperations } from "./run-operations.ts";

export type { Parts, Question };

/** A team key must name its team where access is read or changed (§4.7). */
const scope = ({ teamId }: Principal): Record<string, string> => (teamId === null ? {} : { team_id: teamId });
/** Whose conversations each may continue, as its agent is one that it may start. */
const canContinue: Partial<Record<Relation, readonly Column[]>> = {
  own: ["owner", "token"],
  team: ["owner", "token", "mate", "team"],
  theirs: ["outsider"],
  otherTeams: ["outsider", "otherTeam"],
};

type Served = keyof typeof allHandlers;

/** Every operation that this service has, with at least one question. A forgotten one does not compile. */
export const operations: Readonly<Record<Served, readonly [Question, ...Question[]]>> = {
  // Agents and models
  listAgents: [{ object: "agent", asks: () => noAccess, rows: listed, list: true }],
  getAgent: [
    ofAgent,
    {
      about: "an agent by alias",
      object: "nothing",
      asks: () => byAgent("gumball"),
      rows: { everyones: "ok ok ok ok 404 404" },
    },
  ],
  updateAgent: [
    { object: "agent", asks: (id) => ({ ...byAgent(id), body: { name: "Renamed" } }), rows: visible },
    {
      about: "giving an agent to a team",
      object: "team",
      asks: (id, { agent }) => ({ ...byAgent(agent), body: { team_id: id } }),
      rows: {
        otherTeams: "403 403 403 ok 403 ok",
        team: "ok ok ok 403 ok 403",
        absent: "403 403 403 403 403 403",
      },
    },
    {
      about: "a tool that names a flow",
      object: "flow",
      asks: (id, { agent }) => ({
        ...byAgent(agent),
        body: { tools: [{ type: "flow", saved_item_id: id }] },
      }),
      rows: visible,
    },
    {
      about: "a tool that names an MCP server",
      object: "server",
      asks: (id, { agent }) => ({
        ...byAgent(agent),
        body: { tools: [{ type: "mcp_server", server_id: id }] },
      }),
      rows: { ...ofTeams, ...everybody },
    },
    {
      about: "a tool that names a knowledge source",
      object: "source",
      asks: (id, { agent }) => ({
        ...byAgent(agent),
        body: { tools: [{ type: "search_knowledge", source_ids: [id] }] },
      }),
      rows: { ...visible, everyones: "ok ok ok ok 404 404" },
    },
  ],
  createAgent: [
    {
      about: "an agent of a team",
      object: "team",
      asks: (id) => ({ body: { name: "New", team_id: id } }),
      rows: {
        team: "ok ok ok 403 403 403",
        otherTeams: "403 403 403 ok 403 403",
        absent: "403 403 403 403 403 403",
      },
    },
    {
      about: "an agent with a flow as its tool",
      object: "flow",
      asks: (id) => ({ body: { name: "New", tools: [{ type: "flow", saved_item_id: id }] } }),
      rows: {
        own: "ok ok 404 404 403 403",
        team: "ok ok ok 404 403 403",
        theirs: "404 404 404 ok 403 403",
        otherTeams: "404 404 404 ok 403 403",
        absent: "404 404 404 404 403 403",
      },
    },
  ],
  listAgentVersions: [ofAgent],
  getAgentVersion: [
    { object: "agent", asks: (id) => ({ params: { agent_id: id, version: "1" } }), rows: visible },
  ],
  listModels: [{ object: "nothing", asks: () => noAccess, rows: everybody }],
  // Conversations
  startAgent: [
    {
      object: "agent",
      asks: (id, who) => ({ body: { gummie_id: id, message: "Hello", ...claim(who) } }),
      rows: refused,
      codes: { "403": "unauthorized_gummie_access", "404": "gummie_not_found" },
    },
    {
      about: "a conversation to continue",
      object: "interaction",
      asks: (id, who, relation) => {
        const agent = canContinue[relation]?.includes(who.column) ? agentOf[relation] : who.agent;
        return {
          body: { gummie_id: agent, message: "And?", interaction_id: id, ...claim(who) },
        };
      },
      rows: refused,
      codes: { "403": "unauthorized_interaction_access", "404": "interaction_not_found" },
    },
    {
      about: "an agent of Ann's, for a team key that acts as Ann",
      object: "agent",
      asks: (id, who) => ({
        body: { gummie_id: id, message: "Hello", user_id: who.userId ?? "user_ann" },
      }),
      rows: {
        own: "ok ok 403 403 ok forbidden",
        team: "ok ok ok 403 ok forbidden",
        theirs: "403 403 403 ok 403 forbidden",
        otherTeams: "403 403 403 ok 403 forbidden",
        absent: "404 404 404 404 404 forbidden",
      },
      codes: { "403": "unauthorized_gummie_access", "404": "gummie_not_found" },
    },
  ],
  agentStatus: [
    {
      object: "interaction",
      asks: (id, who) => ({ params: { interaction_id: id }, query: claim(who) }),
      rows: visible,
      codes: { "404": "interaction_not_found" },
    },
  ],
  stopTurn: [
    {
      object: "interaction",
      asks: (id, who) => ({ params: { interaction_id: id }, body: claim(who) }),
      rows: visible,
      codes: { "404": "interaction_not_found" },
    },
  ],
  copyConversation: [
    {
      object: "interaction",
      asks: (id) => ({
        params: { interaction_id: id },
        body: { before_message_id: "name", message: "name" },
      }),
      about: "a conversation without that message",
      rows: refusedWith("invalid_body", visible),
      codes: { "404": "interaction_not_found" },
    },
  ],
  deleteConversation: [
    {
      object: "interaction",
      asks: (id) => ({ params: { interaction_id: id } }),
      rows: visible,
      codes: { "404": "interaction_not_found" },
    },
  ],
  restoreConversation: [
    {
      object: "interaction",
      asks: (id) => ({ params: { interaction_id: id } }),
      rows: visible,
      codes: { "404": "interaction_not_found" },
    },
  ],
  listSessions: [
    ofAgent,
    {
      about: "a conversation with it",
      object: "interaction",
      asks: (_, { agent }, relation) => byAgent(relation === "team" ? "agent_one" : agent),
      list: true,
      // Of a team's agent only its members hear at all.
      rows: { own: listed.own, team: "ok ok ok 404 ok 404", absent: listed.absent },
    },
  ],
  getSession: [{ object: "interaction", asks: (id) => ({ params: { session_id: id } }), rows: visible }],
  ...runOperations,
  // Artifacts and who may open them
  listAgentArtifacts: [ofAgent],
  listArtifacts: [
    {
      object: "artifact",
      asks: () => ({ query: { page_size: "100" } }),
      rows: { ...listed, granted: "ok ok ok ok ok -" },
      list: true,
    },
  ],
  getArtifactDownload: [
    { object: "artifact", asks: (id) => ({ params: { artifact_id: id } }), rows: { ...visible, ...granted } },
  ],
  updateArtifactAccess: [
    {
      about: "reading it by a change of nothing",
      object: "artifact",
      asks: (id, who) => ({ params: { artifact_id: id }, query: scope(who), body: {} }),
      rows: { ...visible, ...granted },
    },
    {
      about: "a change",
      object: "artifact",
      asks: (id, who) => ({
        params: { artifact_id: id },
        query: scope(who),
        body: { link: { mode: "anyone" } },
      }),
      rows: {
        ...visible,
        team: "403 403 403 404 ok 404",
        otherTeams: "404 404 404 403 404 ok",
        granted: "403 403 403 ok 403 404",
      },
    },
  ],
  getArtifactAccess: [
    {
      object: "artifact",
      asks: (id, who) => ({ params: { artifact_id: id }, query: scope(who) }),
      rows: { ...visible, ...granted },
    },
  ],
  deleteArtifact: [
    {
      object: "artifact",
      asks: (id) => ({ params: { artifact_id: id } }),
      // A team's is its maker's and its key's to delete, whoever of the team may open it.
      rows: {
        ...visible,
        team: "403 403 403 404 ok 404",
        otherTeams: "404 404 404 403 404 ok",
        granted: "403 403 403 ok 403 404",
      },
    },
  ],
  restoreArtifact: [
    {
      about: "one that is not deleted",
      object: "artifact",
      asks: (id) => ({ params: { artifact_id: id } }),
      rows: nothingThere,
    },
  ],
  openSharedLink: [
    {
      about: "a link that was never made, whoever asks",
      object: "nothing",
      asks: () => ({ params: { token: "never-made" } }),
      rows: { everyones: "404 404 404 404 404 404" },
    },
  ],
  // MCP servers
  listMcpServers: [
    {
      object: "server",
      asks: () => noAccess,
      rows: { ...everybody, team: listed.team, otherTeams: listed.otherTeams, absent: listed.absent },
      list: true,
    },
  ],
  getMcpServer: [
    {
      object: "server",
      asks: (id) => ({ params: { server_id: id } }),
      rows: { ...ofTeams, ...everybody },
    },
  ],
  listMcpTools: [
    {
      object: "server",
      asks: (id) => ({ params: { server_id: id } }),
      rows: { ...ofTeams, ...everybody },
    },
  ],
  callMcpTool: [
    {
      object: "server",
      asks: (id) => ({ params: { server_id: id, tool: "echo" }, body: { arguments: { text: "hi" } } }),
      rows: { ...ofTeams, ...everybody },
    },
  ],
  startMcpSignIn: [
    {
      about: "one that wants no sign-in",
      object: "server",
      asks: (id) => ({ body: { server_id: id } }),
      rows: { ...ofTeams, ...everybody },
      codes: { ok: "sign_in_not_offered" },
    },
  ],
  disconnectMcp: [
    {
      object: "server",
      asks: (id) => ({ body: { server_id: id } }),
      rows: { ...ofTeams, ...everybody },
    },
  ],
  approveMcpTools: [
    {
      about: "a definition that it does not have",
      object: "server",
      asks: (id) => ({
        body: {
          server_id: id,
          tools: [{ tool_call_id: `${id}__echo`, definition_hash: "of another definition" }],
        },
      }),
      rows: refusedWith("tool_definition_changed", { ...ofTeams, ...everybody }),
    },
  ],
  ...adminOperations,
  ...programOperations,
  ...inboxOperations,
  ...learningOperations,
  // Teams and the console
  listTeams: [
    {
      object: "team",
      asks: () => noAccess,
      rows: { team: listed.team, otherTeams: listed.otherTeams, absent: listed.absent },
      list: true,
    },
  ],
  getCapabilities: [{ object: "nothing", asks: () => noAccess, rows: everybody }],
  signOutConsole: [{ object: "nothing", asks: () => noAccess, rows: everybody }],
  createConsoleSession: [
    {
      about: "a link that was never made, whoever asks",
      object: "nothing",
      asks: () => ({ body: { token: "never-made" } }),
      rows: { everyones: Array(6).fill("sign_in_link_invalid").join(" ") },
    },
  ],
};

/** The operations' names as the table of the interface has them. */
export const operationNames = Object.keys(operations) as readonly (EndpointName & Served)[];
