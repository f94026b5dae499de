/**
 * The tools that our service has of its own (capability `builtin_tools`): the `type` of an entry in an agent's `tools`, which
 * is also the tool's name. `run_flow` without a `saved_item_id` runs every flow that the person may run; `search_knowledge`
 * takes `source_ids`.
 */
export const builtinTools = ["write_file", "read_file", "run_flow", "http_get", "search_knowledge"] as const;
export type BuiltinTool = (typeof builtinTools)[number];
