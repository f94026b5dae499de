import type { Api } from "../../lib/api/api.ts";
import type { ArtifactIn } from "./queries.ts";

/** What artifacts are called where they are deleted. */
export const artifactNouns = { one: "artifact", many: "artifacts" } as const;

/**
 * Whether the caller is likely to be let: artifacts are their creator's to delete. Of what has no creator, and with a
 * team's key, only the service knows.
 */
export function isDeletable(row: Pick<ArtifactIn, "creator">, who: Api["who"]): boolean {
  const creator = row.creator?.id ?? null;
  return who.kind === "team" || creator === null || creator === who.userId;
}
