import type { Migration } from "./index.ts";

/** The name of this database: a folder of files remembers it, so that no other one takes its files for forgotten. */
export const installation: Migration = {
  name: "0014_installation",
  sql: `
create table installation (
  only_row boolean primary key default true check (only_row),
  id text not null default replace(gen_random_uuid()::text, '-', '')
);
insert into installation default values;
-- Whether anything names a file.
create index artifact_versions_file on artifact_versions (file_id);
`,
};
