import type { Generated } from "kysely";

/** See migration 0073; `is_handover` is of 0077. */
export interface TracesTable {
  root_id: string;
  trace_id: string;
  parent_span_id: string | null;
  trace_state: string | null;
  is_sampled: boolean;
  claimed_until: Date | null;
}

export interface TakeoversTable {
  execution_id: string;
  epoch: number;
  at: Date;
  is_handover: Generated<boolean>;
}

/** The tables of traces. */
export interface TraceTables {
  traces: TracesTable;
  takeovers: TakeoversTable;
}
