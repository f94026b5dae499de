/** What other areas may use of this one. */
export { AgentArtifacts } from "./ArtifactsPage.tsx";
export { Preview } from "./preview/Preview.tsx";
export { type ArtifactIn, artifactQueries, readArtifacts } from "./queries.ts";
export { type ArtifactsSearch, readArtifactsSearch } from "./search.ts";
export type { FileVersion } from "./versions/useVersions.ts";
