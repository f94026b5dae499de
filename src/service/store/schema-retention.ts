import type { GeneratedAlways } from "kysely";
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

/** What is known of the deletions of one hour. */
export interface DeletionsTable {
  id: GeneratedAlways<number>;
  at: Date;
  rule_days: number | null;
}

/** Tombstones that were written or merged together. */
export interface TombstoneSegmentsTable {
  id: GeneratedAlways<string>;
  level: number;
  keys: number;
  oldest: Date;
  newest: Date;
}

/** A block of tombstones: sorted keys, and for each its deletion. */
export interface TombstonesTable {
  segment_id: string;
  first_key: string;
  keys: string[];
  deletion_ids: number[];
}

/** The tables of retention. */
export interface RetentionTables {
  kept_runs: KeptRunsTable;
  kept_conversations: KeptConversationsTable;
  removed_logs: RemovedLogsTable;
  deletions: DeletionsTable;
  tombstone_segments: TombstoneSegmentsTable;
  tombstones: TombstonesTable;
}
