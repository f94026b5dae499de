import type { Migration } from "./index.ts";

/** Conversations that a person deleted: hidden from everybody at once, and erased a day later. */
export const deletedConversations: Migration = {
  name: "0017_deleted_conversations",
  sql: `
alter table interactions
  add column deleted_at timestamptz,
  -- nothing of what was said is left: the row stays for the artifacts that name it
  add column erased_at timestamptz,
  add check (erased_at is null or deleted_at is not null);
create index interactions_to_erase on interactions (deleted_at) where deleted_at is not null and erased_at is null;
`,
};
