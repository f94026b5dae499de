import type { Migration } from "./index.ts";

/**
 * What this database ever wrote into the mark of the folder of files. A copy of the database knows what was written before
 * it was made, and none of what came after: so both see whose the folder is.
 */
export const fileTokens: Migration = {
  name: "0034_file_tokens",
  sql: `
create table file_tokens (
  token text primary key,
  made_at timestamptz not null default now()
);
`,
};
