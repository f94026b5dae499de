import type { CreatedAt } from "./schema.ts";

export interface KeptRunsTable {
  execution_id: string;
  kept_by: string | null;
  kept_at: CreatedAt;
}

export interface KeptConversationsTable {
  interaction_id: string;
  kept_by: string | null;
  kept_at: CreatedAt;
}

/** Executions that are gone and whose log is not yet. */
export interface RemovedLogsTable {
  execution_id: string;
}

/** The tables of retention. */
export interface RetentionTables {
  kept_runs: KeptRunsTable;
  kept_conversations: KeptConversationsTable;
  removed_logs: RemovedLogsTable;
}
