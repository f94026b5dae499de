import type { Migration } from "./index.ts";

/** What was last taken over from the agents' files of the workspace, to tell whether an agent was changed since. */
export const workspace: Migration = {
  name: "0006_workspace",
  sql: `
create table workspace_agents (
  agent_id text primary key references agents (id) on delete cascade,
  -- of the file's content
  hash bytea not null,
  -- of the agent after it was taken over; a higher one means a change through the interface
  version integer not null
);
`,
};
