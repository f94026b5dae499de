import type { Migration } from "./index.ts";

/** Traces that go to a collector (OTLP), where somebody asks for them. */
export const traces: Migration = {
  name: "0073_traces",
  sql: `
-- One row for each tree of executions whose trace is to be exported, written with its start and deleted once a collector took it.
create table traces (
  root_id text primary key references executions (id) on delete cascade,
  -- hexadecimal
  trace_id text not null,
  -- the caller's span, where it named one
  parent_span_id text,
  trace_state text,
  -- what is not sampled is handed on, and exported nowhere
  is_sampled boolean not null,
  -- whoever exports it has it until then
  claimed_until timestamptz
);

-- Of what is traced: when it was taken from a worker that had fallen silent.
create table takeovers (
  execution_id text not null references executions (id) on delete cascade,
  -- of the claim that was lost
  epoch integer not null,
  at timestamptz not null,
  primary key (execution_id, epoch)
);
`,
};
