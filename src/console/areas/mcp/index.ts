/** What other areas may use of this one. */
export { mcpQueries } from "./queries.ts";
export { connectionWords, failureParts, type ServerIn, serverName } from "./servers.ts";
export { type ServerNeed, useServerNeeds, waitWords } from "./useServerNeeds.ts";
export { useServers } from "./useServers.ts";
