/** The `type`s of an agent's `tools` that are built in: each is also the tool's name. */
export const builtinTools = ["write_file", "read_file", "run_flow", "http_get", "search_knowledge"] as const;
