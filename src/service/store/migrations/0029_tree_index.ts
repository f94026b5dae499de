import type { Migration } from "./index.ts";

/** Most executions are alone: the index of trees has what is below others, and a root is found by its id. */
export const treeIndex: Migration = {
  name: "0029_tree_index",
  sql: `
drop index executions_tree;
create index executions_tree on executions (root_id) where parent_id is not null;
`,
};
