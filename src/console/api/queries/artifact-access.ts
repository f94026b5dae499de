import { getArtifactAccess } from "../../../contract/access.ts";
import { type Api, teamScope } from "../api.ts";
import { readOptions } from "../read.ts";

/** Reads about who may open an artifact. Apart from the artifacts themselves: its shapes are much code. */
export const artifactAccessQueries = {
  /** Who may open it (public, `can("artifact_access")`). */
  one: (api: Api, artifactId: string) =>
    readOptions(api, getArtifactAccess, { params: { artifact_id: artifactId }, query: teamScope(api) }),
};
