import type { Agent } from "../contract/agents.ts";
import type { FlowInput } from "../contract/flow-inputs.ts";
import type { SavedItem } from "../contract/flows.ts";
import type { McpConnection, McpServer } from "../contract/mcp.ts";
import type { Run, RunDetails } from "../contract/run.ts";
import type { RunSummary } from "../contract/runs.ts";
import type { Team } from "../contract/wire.ts";

/**
 * Things of the interface for tests, whole and valid; a test names only what it is about. Content is invented.
 * Times are in UTC.
 */

/** A run as `get_pl_run` answers it: running, two lines so far. */
export function aRun(part: Partial<Run> = {}): Run {
  return {
    run_id: "run_hello",
    user_id: "user_ada",
    state: "RUNNING",
    created_ts: "2026-11-20T08:15:00.000+00:00",
    finished_ts: null,
    log: ["2026-11-20T08:15:00.010Z [Name] given: Ada", "2026-11-20T08:15:00.020Z [Greeting] started"],
    outputs: {},
    saved_item_id: "flow_hello",
    ...part,
  };
}

/** The same run after its end. */
export function aDoneRun(part: Partial<Run> = {}): Run {
  const { log } = aRun();
  return aRun({
    state: "DONE",
    finished_ts: "2026-11-20T08:15:04.000+00:00",
    log: [...log, "2026-11-20T08:15:04.000Z [Greeting] done"],
    outputs: { greeting: "Hello, Ada" },
    ...part,
  });
}

/** A row of `GET /runs`. */
export function aRunSummary(part: Partial<RunSummary> = {}): RunSummary {
  return {
    run_id: "run_hello",
    saved_item_id: "flow_hello",
    saved_item_name: "Say hello",
    state: "RUNNING",
    created_ts: "2026-11-20T08:15:00.000+00:00",
    finished_ts: null,
    user_id: "user_ada",
    project_id: null,
    inputs: { name: "Ada" },
    error: null,
    parent_run_id: null,
    log_lines: 2,
    ...part,
  };
}

/** `GET /runs/{id}`. */
export function someRunDetails(part: Partial<RunDetails> = {}): RunDetails {
  return { ...aRunSummary(), sub_runs: [], parent: null, ...part };
}

export function aFlow(part: Partial<SavedItem> = {}): SavedItem {
  return {
    saved_item_id: "flow_hello",
    name: "Say hello",
    description: "Greets whoever is named.",
    created_ts: "2026-11-01T09:00:00.000+00:00",
    ...part,
  };
}

export function anInput(part: Partial<FlowInput> = {}): FlowInput {
  return { name: "name", data_type: "string", description: "Who is greeted", ...part };
}

export function aTeam(part: Partial<Team> = {}): Team {
  return { id: "team_harbor", name: "Harbor", ...part };
}

export function anAgent(part: Partial<Agent> = {}): Agent {
  return {
    id: "agent_clerk",
    name: "Clerk",
    description: "Answers letters.",
    team_id: null,
    is_active: true,
    model_name: "builtin/offline",
    system_prompt: "Be brief.",
    metadata: {},
    folder_id: null,
    created_at: "2026-11-01T09:00:00.000Z",
    active_trigger_count: 0,
    creator: null,
    version: 1,
    tools: [],
    resources: [],
    ...part,
  };
}

/** A server that works, with three tools. */
export function anMcpServer(part: Partial<McpServer> = {}): McpServer {
  return {
    server_id: "almanac",
    name: "Almanac",
    type: "gumcp_server",
    status: "connected",
    icon_url: null,
    description: "Works with dates",
    service_auth_url: "https://service.example/mcp?server=almanac",
    mcp_url: null,
    tool_count: 3,
    allowed_tool_call_ids: null,
    ...part,
  };
}

/** What our service knows of a server that people sign in to: signed in, and it answered. */
export function aConnection(part: Partial<McpConnection> = {}): McpConnection {
  return {
    auth: "sign_in",
    signed_in_at: "2026-11-20T08:00:00Z",
    succeeded_at: "2026-11-20T08:05:00Z",
    failed_at: null,
    failure: null,
    held_tool_call_ids: [],
    ...part,
  };
}
