import type { Agent } from "../contract/agents.ts";
import type { Artifact } from "../contract/artifacts.ts";
import { type Capability, capabilities, type Person } from "../contract/console.ts";
import type { Endpoint, Input, Output } from "../contract/define.ts";
import type { EndpointName, endpoints } from "../contract/endpoints.ts";
import type { ErrorCode, ErrorFacts } from "../contract/errors.ts";
import type { FlowInput } from "../contract/flow-inputs.ts";
import type { SavedItem } from "../contract/flows.ts";
import { teamRights } from "../contract/roles.ts";
import type { Run } from "../contract/run.ts";
import type { RunSummary } from "../contract/runs.ts";
import type { Team } from "../contract/wire.ts";
import { aFlow, anAgent, anInput, aRunSummary, aTeam, someRunDetails } from "./builders.ts";

/** What the mock service has. Tests change it freely; every answer is made from it. */
export interface MockState {
  agents: Agent[];
  /** In the order in which lists have them. */
  artifacts: Artifact[];
  /** Whole runs; a row of the list is made from each. */
  runs: Run[];
  flows: { item: SavedItem; inputs: FlowInput[] }[];
  teams: Team[];
  models: string[];
  /** Null: a stranger's service, which has no such list. */
  capabilities: Capability[] | null;
  /** Whose key it is, as the service says it; null where it does not. */
  person: Person | null;
  /** Keys that are accepted; null: any. */
  keys: string[] | null;
}

/** A small service in which everything works. */
export function someState(part: Partial<MockState> = {}): MockState {
  return {
    agents: [anAgent()],
    artifacts: [],
    runs: [],
    flows: [{ item: aFlow(), inputs: [anInput()] }],
    teams: [aTeam()],
    models: ["builtin/offline"],
    capabilities: [...capabilities],
    person: { id: "user_ada", first_name: null, last_name: null, email: null },
    keys: null,
    ...part,
  };
}

/** An answer that says no, by the catalogue. */
export class Refusal {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    this.code = code;
    this.facts = facts;
  }
}

/** What an endpoint may answer in a test: its body as the contract says it, a refusal, or any response at all. */
export type Reply<E extends Endpoint> = Output<E> | Refusal | Response;

export type MockHandler<E extends Endpoint> = (input: Input<E>, state: MockState) => Reply<E>;

/** One function per endpoint that the mock knows; any other must be overridden by the test that needs it. */
export type MockHandlers = { [N in EndpointName]?: MockHandler<(typeof endpoints)[N]> };

export const mockHandlers: MockHandlers = {
  getCapabilities: (_input, { capabilities: named, person: user }) =>
    named
      ? {
          service: "mock",
          version: "0.0.0",
          extensions: named,
          caller: { kind: "personal", user, team: null },
        }
      : new Refusal("not_found", { message: "No such address" }),
  listTeams: (_input, { teams }) => ({ teams }),
  // What pages look at beside what they are about, some only where there is time for it: there is nothing.
  listSessions: () => ({ sessions: [], next_cursor: null }),
  listMcpServers: () => ({ servers: [] }),
  search: () => ({ hits: [], next_cursor: null, searched_to: null, indexed_until: null }),
  getRetention: () => ({ rules: [], preview: [] }),
  explainPermissions: () => ({
    answers: teamRights.map((right) => ({
      ...{ right, allowed: true, rule: "owner", role: null, needs: null, team_id: null },
    })),
  }),
  getOwnRoles: (_input, { teams }) => ({
    ...{ user: null, role: "admin" },
    teams: teams.map((team) => ({ ...team, role: "admin", rights: [...teamRights] })),
  }),
  listPeople: () => ({ people: [], next_cursor: null }),
  listAdminTeams: () => ({ teams: [], next_cursor: null }),
  listKeys: () => ({ keys: [], next_cursor: null }),
  listConsoleSessions: () => ({ sessions: [], next_cursor: null }),
  getDiagnostics: () => ({
    version: "0.1.0",
    looked_at: "2026-11-20T08:15:04.123Z",
    findings: [{ check: "database.reach", state: "ok", found: "It answers", action: null }],
  }),
  listConnectedPrograms: () => ({ connections: [], next_cursor: null }),
  listPrograms: () => ({ programs: [], next_cursor: null }),
  listAudit: () => ({ entries: [], next_cursor: null }),
  getDeletion: () => new Refusal("not_found"),
  listInbox: () => ({ items: [], next_cursor: null }),
  countInbox: () => ({ waiting: 0, oldest_at: null }),
  getAgentApprovals: () => ({ floors: [], operators: [], candidates: [] }),
  listSources: () => ({ sources: [], next_cursor: null }),
  getEvaluationMetrics: ({ query }) => ({ days: query.days ?? 30, grades: {}, tags: {} }),
  listModels: (_input, { models }) => ({
    model_groups: [
      { label: "Built in", options: models.map((value) => ({ value, label: value, restricted: false })) },
    ],
  }),
  listAgents: ({ query }, { agents }) => ({
    agents: agents
      .filter(
        (agent) => agent.is_active && agent.name.toLowerCase().includes(query.search?.toLowerCase() ?? ""),
      )
      .map(({ tools: _tools, resources: _resources, ...summary }) => summary),
    next_cursor: null,
  }),
  getAgent: ({ params }, { agents }) => {
    const agent = agents.find(({ id, is_active }) => id === params.agent_id && is_active);
    return agent ? { agent } : new Refusal("not_found");
  },
  listAgentArtifacts: ({ params, query }, { artifacts }) => ({
    artifacts: artifacts.filter((one) => one.agent_id === params.agent_id && fits(one, query)),
    next_cursor: null,
  }),
  listArtifacts: ({ query }, { artifacts }) => ({
    artifacts: artifacts.filter((one) => fits(one, query)),
    next_cursor: null,
  }),
  listSavedItems: (_input, { flows }) => ({ saved_items: flows.map(({ item }) => item) }),
  getInputs: ({ query }, { flows }) => {
    const flow = flows.find(({ item }) => item.saved_item_id === query.saved_item_id);
    return flow ? { inputs: flow.inputs } : new Refusal("not_found");
  },
  listRuns: ({ query }, state) => ({
    runs: state.runs
      .map((run) => rowOf(run, state))
      .filter(
        (row) =>
          (query.state === undefined || query.state.split(",").includes(row.state)) &&
          (query.saved_item_id === undefined || row.saved_item_id === query.saved_item_id) &&
          (query.search === undefined ||
            JSON.stringify(row).toLowerCase().includes(query.search.toLowerCase())),
      )
      .sort((a, b) => b.created_ts.localeCompare(a.created_ts)),
    next_cursor: null,
  }),
  getRun: ({ query }, { runs }) =>
    runs.find(({ run_id }) => run_id === query.run_id) ?? new Refusal("not_found"),
  getRunDetails: ({ params }, state) => {
    const run = state.runs.find(({ run_id }) => run_id === params.run_id);
    return run ? someRunDetails(rowOf(run, state)) : new Refusal("not_found");
  },
  // A flow that it cannot read: what the nodes did is read from the log.
  listRunNodes: ({ params }, { runs }) => {
    const run = runs.find(({ run_id }) => run_id === params.run_id);
    if (!run) return new Refusal("not_found");
    return { run_id: run.run_id, state: run.state, readable: false, nodes: [] };
  },
  // A run that can go again: nothing is known of its steps.
  previewRunAgain: ({ params }, { runs }) => {
    const run = runs.find(({ run_id }) => run_id === params.run_id);
    return run ? { runs: [], refusals: [], preview: "nothing" } : new Refusal("not_found");
  },
  startPipeline: ({ query }, state) => {
    const flow = state.flows.find(({ item }) => item.saved_item_id === query.saved_item_id);
    if (!flow) return new Refusal("not_found");
    const run_id = `run_${state.runs.length + 1}`;
    const saved_item_id = flow.item.saved_item_id;
    state.runs.push({
      run_id,
      user_id: query.user_id ?? null,
      state: "STARTED",
      created_ts: new Date().toISOString().replace("Z", "+00:00"),
      finished_ts: null,
      log: [],
      outputs: {},
      saved_item_id,
    });
    return { run_id, saved_item_id, url: `http://localhost/runs/${run_id}`, workbook_id: null };
  },
  killPipeline: ({ body }, { runs }) => {
    const run = runs.find(({ run_id }) => run_id === body.run_id);
    if (!run) return new Refusal("not_found");
    const moving = run.finished_ts === null;
    if (moving) Object.assign(run, { state: "TERMINATED", finished_ts: run.created_ts });
    return { success: moving, run_id: run.run_id };
  },
};

/** What of an artifacts list's filters the mock applies. */
function fits(
  artifact: Artifact,
  query: {
    agent_id?: string | undefined;
    session_id?: string | undefined;
    search_query?: string | undefined;
    creator?: string | undefined;
  },
): boolean {
  return (
    (query.agent_id === undefined || artifact.agent_id === query.agent_id) &&
    (query.session_id === undefined || artifact.session_id === query.session_id) &&
    (query.creator === undefined || artifact.creator?.id === query.creator) &&
    (artifact.filename ?? "").toLowerCase().includes(query.search_query?.toLowerCase() ?? "")
  );
}

function rowOf(run: Run, state: MockState): RunSummary {
  const flow = state.flows.find(({ item }) => item.saved_item_id === run.saved_item_id);
  return aRunSummary({
    run_id: run.run_id,
    state: run.state,
    created_ts: run.created_ts,
    finished_ts: run.finished_ts,
    user_id: run.user_id,
    saved_item_id: run.saved_item_id ?? "flow_unknown",
    saved_item_name: flow?.item.name ?? "A flow that is gone",
    log_lines: run.log.length,
  });
}
