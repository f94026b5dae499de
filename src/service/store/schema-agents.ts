import type { ColumnType, Generated } from "kysely";
import type { JsonValue } from "./json.ts";
import type { CreatedAt, DefaultedJson, Json, UpdatedAt } from "./schema.ts";

export type InteractionState = "processing" | "completed" | "failed";

export interface InteractionsTable {
  id: string;
  agent_id: string;
  user_id: string | null;
  team_id: string | null;
  type: string;
  state: InteractionState;
  name: string;
  turn: Generated<number>;
  execution_id: string;
  error: string | null;
  revision: Generated<number>;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  deleted_at: Generated<Date | null>;
  erased_at: Generated<Date | null>;
}

export interface MessagesTable {
  interaction_id: string;
  seq: number;
  id: string;
  role: "user" | "assistant";
  content: string | null;
  created_at: CreatedAt;
}

export interface MessagePartsTable {
  interaction_id: string;
  message_seq: number;
  seq: number;
  part: Json<{ readonly [key: string]: JsonValue }>;
}

export interface ConversationCopiesTable {
  copy_id: string;
  origin_id: string;
  message_id: string;
  before_seq: number;
}

export interface IdempotentStartsTable {
  scope: string;
  key: string;
  body_hash: Buffer;
  inputs: Json<readonly string[]> | null;
  answer: Json<JsonValue>;
  created_at: CreatedAt;
}

/** Written by pipeline runs. */
export interface RunFilesTable {
  id: string;
  execution_id: string;
  name: string;
  media_type: string;
  size: number;
  created_at: CreatedAt;
}

export interface ArtifactsTable {
  id: string;
  agent_id: string;
  interaction_id: string;
  user_id: string | null;
  team_id: string | null;
  filename: string;
  version_id: string;
  major_version: number;
  organization_role: string | null;
  link_mode: Generated<"none" | "anyone" | "password">;
  link_role: string | null;
  link_id: string | null;
  link_password: string | null;
  link_revision: Generated<number>;
  link_by: string | null;
  organization_by: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  removed_at: Date | null;
}

export interface ArtifactVersionsTable {
  id: string;
  artifact_id: string;
  major_version: number;
  file_id: string;
  media_type: string;
  size: number;
  created_at: CreatedAt;
}

export interface ArtifactGrantsTable {
  artifact_id: string;
  kind: "person" | "team";
  grantee: string;
  role: string;
  granted_by: string | null;
  created_at: CreatedAt;
}

/** Kept by triggers; never written. */
export interface ArtifactAudienceTable {
  readonly audience: ColumnType<string, never, never>;
  readonly artifact_id: ColumnType<string, never, never>;
  readonly agent_id: ColumnType<string, never, never>;
  readonly interaction_id: ColumnType<string, never, never>;
  readonly user_id: ColumnType<string | null, never, never>;
  readonly media_type: ColumnType<string | null, never, never>;
  readonly created_at: ColumnType<Date, never, never>;
  readonly name: ColumnType<string, never, never>;
}

export interface LinkTriesTable {
  id: ColumnType<string, never, never>;
  artifact_id: string;
  network: string | null;
  tried_at: Date;
}

export interface LinkVisitorsTable {
  artifact_id: string;
  network: string;
  seen_at: CreatedAt;
}

export interface AgentVersionsTable {
  agent_id: string;
  version: number;
  content: Json<{ readonly [key: string]: JsonValue }>;
  changed: Json<readonly string[]>;
  user_id: string | null;
  created_at: CreatedAt;
}

export interface EvaluationsTable {
  id: string;
  owner_id: string;
  team_id: string | null;
  name: string;
  description: string | null;
  enabled: Generated<boolean>;
  config: DefaultedJson<{ readonly [key: string]: JsonValue }>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  deleted_at: Date | null;
}

export interface EvaluationConfigsTable {
  agent_id: string;
  config: Json<{ readonly [key: string]: JsonValue }>;
  updated_at: UpdatedAt;
}

export interface EvaluationResultsTable {
  id: string;
  evaluation_id: string | null;
  agent_id: string;
  interaction_id: string;
  turn: number | null;
  status: Generated<"queued" | "running" | "completed" | "failed">;
  error: string | null;
  manual: Generated<boolean>;
  quiet: Generated<boolean>;
  replaces: string | null;
  grade: string | null;
  tags: DefaultedJson<readonly string[]>;
  result: DefaultedJson<{ readonly [key: string]: JsonValue }>;
  created_at: CreatedAt;
  finished_at: Date | null;
}

export interface KnowledgeSourcesTable {
  id: string;
  name: string;
  source_type: string;
  status: "draft" | "active" | "paused";
  scope: string;
  team_id: string | null;
  created_by_user_id: string;
  estimated_credits: Generated<number>;
  created_at: CreatedAt;
  approved_at: Date | null;
  approved_by: string | null;
  sync_run_id: string | null;
  deleted_at: Date | null;
  purged_at: Date | null;
}

export type KnowledgeFileStatus = "estimating" | "pending" | "indexing" | "indexed" | "failed";

export interface KnowledgeFilesTable {
  id: string;
  source_id: string;
  file_name: string;
  kind: "text" | "markdown" | "html" | "pdf";
  media_type: string;
  size: number;
  sha256: string;
  content_id: string;
  origin: "upload" | "workspace";
  status: KnowledgeFileStatus;
  error: string | null;
  page_count: number | null;
  tokens: number | null;
  credits: number | null;
  in_approval: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface KnowledgePassagesTable {
  file_id: string;
  seq: number;
  source_id: string;
  page: number | null;
  page_end: number | null;
  section: string | null;
  content: string;
  words: string | null;
  index: ColumnType<string, never, never>;
}

export interface CreditsTable {
  id: string;
  user_id: string | null;
  team_id: string | null;
  source_id: string | null;
  execution_id: string | null;
  amount: number;
  kind: Generated<"approval" | "upload">;
  content_id: string | null;
  created_at: CreatedAt;
}

/** The tables of agents, their conversations and files, evaluations and knowledge. */
export interface AgentTables {
  interactions: InteractionsTable;
  conversation_copies: ConversationCopiesTable;
  messages: MessagesTable;
  message_parts: MessagePartsTable;
  idempotent_starts: IdempotentStartsTable;
  run_files: RunFilesTable;
  artifacts: ArtifactsTable;
  artifact_versions: ArtifactVersionsTable;
  artifact_grants: ArtifactGrantsTable;
  artifact_audience: ArtifactAudienceTable;
  link_tries: LinkTriesTable;
  link_visitors: LinkVisitorsTable;
  agent_versions: AgentVersionsTable;
  evaluations: EvaluationsTable;
  evaluation_configs: EvaluationConfigsTable;
  evaluation_results: EvaluationResultsTable;
  knowledge_sources: KnowledgeSourcesTable;
  knowledge_files: KnowledgeFilesTable;
  knowledge_passages: KnowledgePassagesTable;
  credits: CreditsTable;
}
