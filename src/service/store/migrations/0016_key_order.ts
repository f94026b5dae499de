import type { Migration } from "./index.ts";

/**
 * `jsonb` sorts the keys of objects by length and bytes; `json` keeps them as they were written. What a person or a model
 * sent is shown and handed on in the order in which it was sent: inputs and outputs of runs, what steps recorded,
 * arguments and results of tools, values in a flow.
 */
export const keyOrder: Migration = {
  name: "0016_key_order",
  sql: `
alter table executions alter column input type json using input::json, alter column result type json using result::json;
alter table steps alter column output type json using output::json;
alter table message_parts alter column part type json using part::json;
alter table saved_items alter column definition type json using definition::json;
`,
};
