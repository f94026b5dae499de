import type { Migration } from "./index.ts";

/** Which conversation goes on as a copy of which. The original may be removed before the copy. */
export const conversationCopies: Migration = {
  name: "0063_conversation_copies",
  sql: `
create table conversation_copies (
  copy_id text primary key references interactions (id) on delete cascade,
  origin_id text not null,
  -- in whose place it goes on: of a person, in the original
  message_id text not null,
  -- and where that stands; what comes before was taken over
  before_seq integer not null
);
create index conversation_copies_origin on conversation_copies (origin_id, copy_id);
`,
};
