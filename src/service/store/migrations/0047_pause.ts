import type { Migration } from "./index.ts";

/** Whether this database waits to be let go on, as one that was restored does: the one that it is a copy of may go on still. */
export const pause: Migration = {
  name: "0047_pause",
  sql: `
create table pause (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default now(),
  -- a sentence for people
  reason text not null
);
`,
};
