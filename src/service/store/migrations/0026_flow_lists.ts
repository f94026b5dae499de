import type { Migration } from "./index.ts";

/** What failed of one flow, which is rare among what ended of it: as `executions_team_bad` for all flows. */
export const flowLists: Migration = {
  name: "0026_flow_lists",
  sql: `
create index executions_team_flow_bad on executions (team_id, subject_id, state, created_at, id)
  where kind = 'pipeline' and state in ('failed', 'terminated') and team_id is not null;
create index executions_user_flow_bad on executions (user_id, subject_id, state, created_at, id)
  where kind = 'pipeline' and state in ('failed', 'terminated');
`,
};
