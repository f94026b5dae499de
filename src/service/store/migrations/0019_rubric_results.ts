import type { Migration } from "./index.ts";

/** What one saved rubric found, newest first. */
export const rubricResults: Migration = {
  name: "0019_rubric_results",
  sql: `
create index evaluation_results_rubric on evaluation_results (evaluation_id, created_at desc, id desc)
  where evaluation_id is not null;
`,
};
