import type { Migration } from "./index.ts";

/** What of the headers made a start that carried a key what it was, also once its flow asks for other inputs, or is gone. */
export const startInputs: Migration = {
  name: "0085_start_inputs",
  sql: `
-- The names of the inputs that the flow had. Null where the release before wrote it.
alter table idempotent_starts add column inputs json;
`,
};
