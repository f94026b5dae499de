import type { ColumnType, Generated } from "kysely";
import type { InstallationRole, TeamRole } from "../../contract/roles.ts";
import type { Scope } from "../../contract/scopes.ts";
import type { JsonValue } from "./json.ts";
import type { AgentTables } from "./schema-agents.ts";
import type { ApprovalsTable } from "./schema-approvals.ts";
import type { AuditTables } from "./schema-audit.ts";
import type { McpTables } from "./schema-mcp.ts";
import type { OauthTables } from "./schema-oauth.ts";
import type { OidcTables } from "./schema-oidc.ts";
import type { RetentionTables } from "./schema-retention.ts";
import type { SearchTables } from "./schema-search.ts";
import type { TraceTables } from "./schema-traces.ts";

/** A json or jsonb column: read as a value, written as JSON text made by `toJson`. */
export type Json<T> = ColumnType<T, string, string>;
/** The same with a default in the database. */
export type DefaultedJson<T> = ColumnType<T, string | undefined, string>;
/** The same, or null. */
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
/** Set by the database when the row is made. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>;
export type UpdatedAt = ColumnType<Date, Date | undefined, Date>;

export type ExecutionState = "queued" | "running" | "waiting" | "done" | "failed" | "terminated";
export type StepState = "done" | "failed" | "waiting";
export type Plan = "free" | "pro" | "enterprise";

/** Written by the engine alone. */
export interface ExecutionsTable {
  id: string;
  kind: string;
  root_id: string;
  parent_id: string | null;
  parent_step: string | null;
  depth: number;
  subject_id: string;
  user_id: string | null;
  team_id: string | null;
  limit_key: ColumnType<string, never, never>;
  state: Generated<ExecutionState>;
  epoch: Generated<number>;
  owner: string | null;
  lease: Date | null;
  wake_seq: Generated<number>;
  attempts: Generated<number>;
  queued_at: CreatedAt;
  held_at: Date | null;
  has_place: Generated<boolean>;
  waits_for_people: Generated<boolean>;
  waited_ms: Generated<number>;
  input: Json<JsonValue>;
  result: NullableJson<JsonValue>;
  error: string | null;
  log_count: Generated<number>;
  log_bytes: Generated<number>;
  tree_size: Generated<number>;
  revision: Generated<number>;
  created_at: CreatedAt;
  started_at: Date | null;
  finished_at: Date | null;
}

export interface StepsTable {
  execution_id: string;
  key: string;
  state: StepState;
  output: NullableJson<JsonValue>;
  error: string | null;
  wake_at: Date | null;
  turned_from: ColumnType<Date | null, never, never>;
  child_id: string | null;
  limited_id: ColumnType<string | null, string | undefined, never>;
  limit_ms: ColumnType<number | null, number | undefined, never>;
  created_at: CreatedAt;
  finished_at: Date | null;
}

/** See `log-rows.ts`. */
export interface LogLinesTable {
  execution_id: string;
  /** Of the last line in it, from 1. */
  seq: number;
  /** Lines with breaks between them. */
  text: string;
}

export interface UsersTable {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  profile_picture: string | null;
  plan: Plan;
  role: Generated<InstallationRole>;
  /** The fields that the workspace's file says. */
  managed: Generated<readonly string[]>;
  version: Generated<number>;
  invited_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  joined_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  deactivated_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The role is there because the identity provider's groups say so. */
  role_by_groups: Generated<boolean>;
  /** Since when the identity provider, which brought them, lets them in no more. */
  barred_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface TeamsTable {
  id: string;
  name: string;
  plan: Plan;
  managed: Generated<readonly string[]>;
  version: Generated<number>;
  retired_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface TeamMembersTable {
  team_id: string;
  user_id: string;
  role: Generated<TeamRole>;
  /** The identity provider's groups say so; not in `active_members`. */
  given_by_groups: Generated<boolean>;
}

/** Where a credential was made or used. */
type PlaceColumn = ColumnType<string | null, string | null | undefined, string | null>;

export interface CredentialsTable {
  id: string;
  kind: "personal" | "team" | "token";
  prefix: string;
  hash: Buffer;
  user_id: string | null;
  team_id: string | null;
  name: string;
  created_at: CreatedAt;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  made_from_address: PlaceColumn;
  made_from_agent: PlaceColumn;
  used_from_address: PlaceColumn;
  used_from_agent: PlaceColumn;
  /** Of a program's access token: what it may do, and by which connection. */
  scopes: ColumnType<readonly Scope[] | null, readonly Scope[] | undefined, never>;
  connection_id: ColumnType<string | null, string | undefined, never>;
}

export interface SignInLinksTable {
  hash: Buffer;
  user_id: string;
  expires_at: Date;
  used_at: Date | null;
}

export interface SavedItemsTable {
  id: string;
  team_id: string | null;
  user_id: string;
  name: string;
  description: Generated<string>;
  definition: Json<JsonValue>;
  /** Of the definition; made by the database. */
  version: ColumnType<string, never, never>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  removed_at: Date | null;
}

/** What flows are and were. */
export interface FlowVersionsTable {
  hash: string;
  definition: Json<JsonValue>;
}

export interface AgentsTable {
  id: string;
  alias: string | null;
  owner_id: string;
  team_id: string | null;
  name: string;
  description: string | null;
  model_name: string;
  system_prompt: string | null;
  tools: DefaultedJson<readonly JsonValue[]>;
  resources: DefaultedJson<readonly JsonValue[]>;
  metadata: DefaultedJson<{ readonly [key: string]: JsonValue }>;
  is_active: Generated<boolean>;
  folder_id: string | null;
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** Which run went again as which. */
export interface RunsAgainTable {
  run_id: string;
  origin_id: string;
  /** Null: from where it had stopped. */
  from_node: string | null;
  from_item: number | null;
  flow: "as_run" | "current";
}

/** What the workspace's files last said of an agent. */
export interface WorkspaceAgentsTable {
  agent_id: string;
  hash: Buffer;
  version: number;
}

/** See migration 0034. */
export interface FileTokensTable {
  token: string;
  made_at: CreatedAt;
}

/** One row. */
export interface InstallationTable {
  /** Names this database, also after it was moved or restored. */
  id: Generated<string>;
}

/** At most one row. See migration 0047. */
export interface PauseTable {
  since: CreatedAt;
  reason: string;
}

/** All tables, as kysely sees them. Times are `Date`; turn them into text at the edge. */
export interface Database
  extends AgentTables,
    AuditTables,
    McpTables,
    OauthTables,
    OidcTables,
    RetentionTables,
    SearchTables,
    TraceTables {
  approvals: ApprovalsTable;
  runs_again: RunsAgainTable;
  executions: ExecutionsTable;
  steps: StepsTable;
  log_lines: LogLinesTable;
  users: UsersTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  /** Of active people in teams that are not retired (a view): who has rights there. */
  active_members: Omit<TeamMembersTable, "given_by_groups">;
  credentials: CredentialsTable;
  sign_in_links: SignInLinksTable;
  saved_items: SavedItemsTable;
  flow_versions: FlowVersionsTable;
  agents: AgentsTable;
  workspace_agents: WorkspaceAgentsTable;
  installation: InstallationTable;
  file_tokens: FileTokensTable;
  pause: PauseTable;
}
