/**
 * Healthy answers for every request that a page of the console sends, as text from the contract: what the hostile
 * service says until a test says otherwise, and what the generated faults start from.
 */

export const key = "hostile-key-0123456789abcdef";
export const userId = "u_hostile";
export const agentId = "ag_1";
export const interactionId = "int_1";
export const runId = "run_1";
export const flowId = "flow_1";

const creator = {
  id: userId,
  first_name: "Ines",
  last_name: "Okoye",
  email: "ines@example.test",
  profile_picture: null,
};

/** `GET /agents/{id}` (§2.10), without its envelope. */
export const agent = {
  id: agentId,
  name: "Claims triage desk",
  description: "Sorts claims by urgency.",
  team_id: null,
  is_active: true,
  model_name: "somebody/large-3",
  system_prompt: "You sort claims.",
  metadata: { preferences: { max_steps: 12 }, chat: { starter_prompts: ["Sort my claims"] } },
  folder_id: null,
  created_at: "2026-11-18T09:00:00.000Z",
  active_trigger_count: 0,
  creator,
  version: 3,
  tools: [{ type: "mcp_server", server_id: "srv_1", approval_mode: "off", allowed_tool_call_ids: null }],
  resources: [{ kind: "note", text: "A note" }],
};

export const session = {
  id: interactionId,
  agent_id: agentId,
  agent_name: agent.name,
  name: "Water damage in Bergen",
  type: "console",
  state: "completed",
  created_at: "2026-11-20T08:15:04.000Z",
  creator,
  usage: { input_tokens: 120, output_tokens: 45, credit_cost: 3 },
};

/** One message of each kind of part (§2.1). */
export const messages = [
  { id: "m1", role: "user", timestamp: "2026-11-20T08:15:04.000Z", content: "Please sort this", parts: [] },
  {
    id: "m2",
    role: "assistant",
    timestamp: "2026-11-20T08:15:09.000Z",
    content: "Sorted.",
    parts: [
      { id: "p1", type: "reasoning", reasoning: "It is urgent." },
      {
        id: "p2",
        type: "tool_invocation",
        toolCallId: "c1",
        toolName: "look_up",
        toolCallState: "completed",
        result: { args: { q: "Bergen" }, result: { rows: [1, 2] } },
      },
      {
        type: "file",
        file: {
          filename: "claim.pdf",
          media_type: "application/pdf",
          artifact_url: "https://files.example.test/1",
        },
      },
      { id: "p3", type: "error", error: "A tool was slow." },
      { id: "p4", type: "text", text: "Sorted." },
    ],
  },
];

/** `GET /agent_status/{id}` (§4.2). */
export const interaction = {
  interaction_id: interactionId,
  state: "COMPLETED",
  gummie_id: agentId,
  created_ts: "2026-11-20T08:15:04.000000+00:00",
  response: "Sorted.",
  messages,
  error_message: null,
};

/** `GET /get_pl_run` (§2.2). */
export const run = {
  run_id: runId,
  user_id: userId,
  state: "DONE",
  created_ts: "2026-11-20T08:15:04.123456+00:00",
  finished_ts: "2026-11-20T08:15:09.123456+00:00",
  log: [
    "2026-11-20T08:15:04.200Z [reader] started",
    "a line of its own",
    "2026-11-20T08:15:09.000Z [reader] done",
  ],
  outputs: { greeting: "Hello, Ines", rows: [{ a: 1 }] },
  saved_item_id: flowId,
  files: [{ name: "report.md", size: 12, media_type: "text/markdown" }],
};

/** One row of `GET /runs`. */
export const runSummary = {
  run_id: runId,
  saved_item_id: flowId,
  saved_item_name: "Nightly report",
  state: "DONE",
  created_ts: run.created_ts,
  finished_ts: run.finished_ts,
  user_id: userId,
  project_id: null,
  inputs: { name: "Ines" },
  error: null,
  parent_run_id: null,
  log_lines: 3,
};

const subRun = {
  run_id: "run_sub",
  saved_item_id: "flow_sub",
  saved_item_name: "Sub report",
  state: "DONE",
  created_ts: run.created_ts,
  finished_ts: run.finished_ts,
  node: "reader",
};

export const extensions = [
  "capabilities",
  "flow_inputs",
  "live_messages",
  "run_details",
  "run_files",
  "run_map",
  "runs",
  "saved_items",
  "sessions",
  "teams",
];

/** The example of each route, by `METHOD /path/{id}`. */
export const examples: Readonly<Record<string, unknown>> = {
  "GET /capabilities": {
    service: "hostile",
    version: "1",
    extensions,
    caller: {
      kind: "personal",
      user: { id: "user_ada", first_name: "Ada", last_name: "Byron", email: "ada@example.com" },
      team: { id: "team_harbor", name: "Harbor" },
    },
  },
  "GET /models": {
    model_groups: [
      { label: "Everyday", options: [{ value: "somebody/large-3", label: "Large 3", restricted: false }] },
    ],
  },
  "GET /teams": { teams: [{ id: "t_1", name: "Harbor" }] },
  "GET /agents": { agents: [agent], next_cursor: null },
  "GET /agents/{id}": { agent },
  "GET /agents/{id}/sessions": { sessions: [session], next_cursor: null },
  "GET /sessions/{id}": { session: { ...session, messages } },
  "GET /agent_status/{id}": interaction,
  "POST /start_agent": { interaction_id: interactionId, status: "processing" },
  "GET /runs": { runs: [runSummary], next_cursor: null },
  "GET /runs/{id}": { ...runSummary, sub_runs: [subRun], parent: null },
  "GET /get_pl_run": run,
  "GET /get_plrun_saved_item_map": {
    [flowId]: [{ run_id: runId, state: "DONE", created_ts: run.created_ts, finished_ts: run.finished_ts }],
  },
  "GET /list_saved_items": {
    saved_items: [
      { saved_item_id: flowId, name: "Nightly report", description: "Writes it", created_ts: run.created_ts },
    ],
  },
  "GET /get_inputs": { inputs: [{ name: "name", data_type: "string", description: "Whose report" }] },
  "POST /start_pipeline": { run_id: runId, saved_item_id: flowId, url: `https://runs.example.test/${runId}` },
  "POST /kill_pipeline": { success: true, run_id: runId },
};
