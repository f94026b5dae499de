import type { ColumnType, GeneratedAlways } from "kysely";

/** Entries of the audit log that have no place in the chain yet. */
export interface AuditPendingTable {
  id: GeneratedAlways<string>;
  at: ColumnType<Date, never, never>;
  /** JSON text made by `toJson`; read as text. */
  entry: ColumnType<unknown, string, never>;
}

/** The audit log: written by its sealer alone. */
export interface AuditLogTable {
  position: string;
  at: Date;
  entry: ColumnType<unknown, string, never>;
  key_id: string;
  seal: Buffer;
  action: GeneratedAlways<string>;
  user_id: GeneratedAlways<string | null>;
  team_id: GeneratedAlways<string | null>;
  object_kind: GeneratedAlways<string>;
  object_id: GeneratedAlways<string | null>;
}

export interface AuditHeadTable {
  one: ColumnType<boolean, never, never>;
  first_position: string;
  first_seal: Buffer;
  last_position: string;
  last_seal: Buffer;
  key_id: string;
  seal: Buffer;
}

export interface AuditCountsTable {
  minute: Date;
  action: string;
  network: string;
  object_id: string;
  count: number;
  entry: ColumnType<unknown, string, never>;
}

export interface AuditTables {
  audit_pending: AuditPendingTable;
  audit_log: AuditLogTable;
  audit_head: AuditHeadTable;
  audit_counts: AuditCountsTable;
}
