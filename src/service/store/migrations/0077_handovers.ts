import type { Migration } from "./index.ts";

/** Of what is traced: whether a worker gave it back by itself, as it was told to stop. */
export const handovers: Migration = {
  name: "0077_handovers",
  sql: `
alter table takeovers add column is_handover boolean not null default false;
`,
};
