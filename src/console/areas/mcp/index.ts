/** What other areas may use of this one. */
export { mcpQueries, useServers } from "./queries.ts";
export { type ServerNeed, useServerNeeds, waitWords } from "./ServerNeeds.tsx";
export { connectionWords, failureParts, type ServerIn, serverName } from "./servers.ts";
