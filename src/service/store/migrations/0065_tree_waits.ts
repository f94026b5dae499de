import type { Migration } from "./index.ts";

/** A run whose sub-run waits for people held its place for days: only the one that asks said that it waits for them. */
export const treeWaits: Migration = {
  name: "0065_tree_waits",
  sql: `
alter table executions
  -- of one that waits: all that it waits for is people, or what is below it in its tree
  add column waits_for_people boolean not null default false;
`,
};
