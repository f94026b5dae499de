import type { Migration } from "./index.ts";

/**
 * What people delete is kept for a while and can be restored; then it is removed for good. Of a source its row stays, for
 * the credits that name it, and so that the workspace's folder does not bring it back.
 */
export const deletion: Migration = {
  name: "0018_deletion",
  sql: `
create index artifacts_removed on artifacts (removed_at) where removed_at is not null;
alter table knowledge_sources
  add column deleted_at timestamptz,
  -- when its files and passages were removed for good
  add column purged_at timestamptz;
create index knowledge_sources_deleted on knowledge_sources (deleted_at) where deleted_at is not null and purged_at is null;
`,
};
