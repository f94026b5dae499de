import type { Migration } from "./index.ts";

/** The time of the database when somebody last looked: where it is later than now, the clock was turned back. */
export const databaseTime: Migration = {
  name: "0049_database_time",
  sql: `
create table database_time (
  one boolean primary key default true check (one),
  seen timestamptz not null
);
`,
};
