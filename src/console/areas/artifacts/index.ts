/** What other areas may use of this one. */
export { AgentArtifacts } from "./list/AgentArtifacts.tsx";
export { type ArtifactsSearch, readArtifactsSearch } from "./list/search.ts";
export { Preview } from "./preview/Preview.tsx";
export { type ArtifactIn, artifactQueries, readArtifacts } from "./queries.ts";
export type { FileVersion } from "./versions/useVersions.ts";
