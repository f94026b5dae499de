import type { Migration } from "./index.ts";

/**
 * What was asked, or began to wait, after the database's clock was turned back and before that was followed was turned back with
 * all else, although it was dated by the new clock.
 */
export const turnedFrom: Migration = {
  name: "0084_turned_from",
  sql: `
-- What database_time said when this was dated, where the clock had been turned back from there and nobody had followed yet.
alter table steps add column turned_from timestamptz;
alter table approvals add column turned_from timestamptz;
`,
};
