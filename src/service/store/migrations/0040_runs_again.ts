import type { Migration } from "./index.ts";

/** Which run went again as which. The older one may be removed before the newer. */
export const runsAgain: Migration = {
  name: "0040_runs_again",
  sql: `
create table runs_again (
  run_id text primary key references executions (id) on delete cascade,
  origin_id text not null,
  from_node text,
  from_item integer,
  flow text not null check (flow in ('as_run', 'current'))
);
create index runs_again_origin on runs_again (origin_id, run_id);
`,
};
