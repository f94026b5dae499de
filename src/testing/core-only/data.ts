/**
 * What the core-only service knows at its start. Written from the contract alone: no code and no sample of our own
 * service is used. Nulls, missing fields and values that no document names are in it on purpose.
 */

export const key = "core-only-key-0123456789abcdef";
export const userId = "u_core_1";
export const teamId = "t_core_1";

/** Saved workflows: this service lists none of them, as the core has no endpoint for that. */
export const flows = new Set(["si_greet", "si_slow", "si_breaks", "si_odd"]);

export interface StoredAgent {
  id: string;
  name: string | null;
  description: string | null;
  model_name: string | null;
  system_prompt: string | null;
  tools: Record<string, unknown>[] | null;
  resources: Record<string, unknown>[] | null;
  metadata: Record<string, unknown> | null;
  team_id: string | null;
  is_active: boolean;
  version: number | null;
  [unknown: string]: unknown;
}

export function agents(): StoredAgent[] {
  return [
    {
      id: "ag_plain",
      name: "Claims triage desk",
      description: "Reads inbound claims and sorts them by urgency.",
      model_name: "somebody/large-3",
      system_prompt: "You sort claims.",
      tools: [
        { type: "mcp_server", server_id: "srv_custom" },
        { type: "hologram", projector: 7 },
      ],
      resources: [],
      metadata: { preferences: { max_steps: 12 }, unheard_of: { a: [1, 2, { b: null }] } },
      team_id: teamId,
      is_active: true,
      version: 14,
      mood: "sunny",
    },
    {
      id: "ag_bare",
      name: null,
      description: null,
      model_name: null,
      system_prompt: null,
      tools: null,
      resources: null,
      metadata: null,
      team_id: null,
      is_active: true,
      version: null,
    },
  ];
}

export const models = {
  model_groups: [
    {
      label: "Everyday",
      options: [
        { value: "somebody/large-3", label: "Large 3", restricted: false },
        { value: "somebody/huge-1", label: "Huge 1", restricted: true },
      ],
    },
    { label: null, options: [] },
  ],
};

const creator = {
  id: userId,
  first_name: "Ines",
  last_name: null,
  email: "ines@example.test",
  profile_picture: null,
};

export const artifacts = [
  {
    id: "art_1",
    version_id: "artv_1",
    major_version: 1,
    agent_id: "ag_plain",
    session_id: "int_old",
    filename: "claims-2026-11.csv",
    created_at: "2026-11-19T10:00:00Z",
    metadata: { media_type: "text/csv", size: 18 },
    url: "/signed/art_1",
    creator,
  },
  {
    id: "art_2",
    version_id: null,
    major_version: null,
    agent_id: null,
    session_id: null,
    filename: null,
    created_at: null,
    metadata: {},
    url: null,
    creator: null,
  },
];

export const servers = [
  {
    server_id: "srv_hosted",
    name: "Sheets",
    type: "gumcp_server",
    status: "connected",
    icon_url: "https://icons.example.test/sheets.svg",
    description: "Reads and writes sheets.",
    service_auth_url: "https://auth.example.test/sheets",
    mcp_url: null,
    tool_count: 12,
    allowed_tool_call_ids: null,
  },
  {
    server_id: "srv_custom",
    name: null,
    type: "mcp_server",
    status: "unauthenticated",
    icon_url: null,
    description: null,
    service_auth_url: "https://auth.example.test/custom",
    mcp_url: "https://mcp.example.test/mcp",
    tool_count: null,
    allowed_tool_call_ids: ["srv_custom__look_up"],
  },
  {
    server_id: "srv_strange",
    name: "Strange",
    type: "quantum_server",
    status: "entangled",
    icon_url: "javascript:alert(1)",
    description: "<img src=x onerror=alert(1)>",
    service_auth_url: "javascript:alert(1)",
    mcp_url: null,
    tool_count: 0,
    allowed_tool_call_ids: [],
  },
  {
    server_id:
      "srv_bare_with_a_name_that_nobody_gave_and_an_id_that_is_longer_than_a_phone_is_wide_0123456789",
    name: null,
    type: null,
    status: null,
    icon_url: null,
    description: null,
    service_auth_url: null,
    mcp_url: null,
    tool_count: null,
    allowed_tool_call_ids: null,
  },
];

/** As one is answered that nobody ever filled: `enabled` is all that it says. */
const bareConfig = {
  enabled: true,
  is_active: null,
  model_name: null,
  frequency: null,
  language: null,
  include_auto_tags: null,
  interaction_types: null,
  criteria: [{ id: null, name: null, prompt: null, type: null, priority: null }],
  tags: null,
  data_points: [{ id: null, name: null, data_type: "hologram", description: null }],
  sentiment: null,
  updated_ts: null,
};

export function evaluationConfig(agentId: string): Record<string, unknown> {
  if (agentId === "ag_bare") return { agent_id: agentId, ...bareConfig };
  return {
    agent_id: agentId,
    enabled: true,
    is_active: true,
    model_name: "somebody/large-3",
    frequency: "every_full_moon",
    language: "auto",
    include_auto_tags: true,
    interaction_types: [],
    criteria: [
      {
        id: "c1",
        name: "No promises",
        prompt: "Never promise a payout.",
        type: "prohibited_dance",
        priority: "needs_review",
      },
    ],
    tags: [{ name: "URGENT_CLAIM", description: "Needs an answer today" }],
    data_points: [{ id: "d1", name: "claim number", data_type: "string", description: "The claim's number" }],
    sentiment: { enabled: true, affects_grade: false, description: "" },
    updated_ts: "2026-11-01T08:00:00.000000+00:00",
  };
}

/** Two sessions passed on each day; the others were lately. An agent of nulls has no counts that are counts. */
export function metrics(agentId: string, days: number): Record<string, unknown> {
  if (agentId === "ag_bare") return { days: null, grades: null, tags: { URGENT_CLAIM: null, "": "many" } };
  return {
    days,
    grades: { pass: 2 * days, needs_review: 3, splendid: 2 },
    tags: { URGENT_CLAIM: Math.min(5, days) },
  };
}

export function access() {
  return {
    people: [{ email: "ines@example.test", name: "Ines", role: "owner" }],
    password_protected: false,
    teams: [{ team_id: teamId, role: "use_only" }],
    organization_access: null as { role: string } | null,
    link: "none",
    link_role: null as string | null,
    grants_visibility: "full",
  };
}

/** Drafts that wait for an approval, of which one is nothing but an id. */
export function sources(): Map<string, Record<string, unknown> & { status: string }> {
  return new Map([
    [
      "src_bare",
      {
        id: "src_bare",
        name: null,
        source_type: null,
        status: "draft",
        scope: null,
        team_id: null,
        created_by_user_id: null,
        created_at: null,
      },
    ],
    [
      "src_1",
      {
        id: "src_1",
        name: "Handbook",
        source_type: "stone_tablets",
        status: "draft",
        scope: "personal",
        team_id: teamId,
        created_by_user_id: userId,
        created_at: "2026-11-10T09:00:00Z",
      },
    ],
  ]);
}
