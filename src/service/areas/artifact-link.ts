import type { Context } from "../context.ts";
import { servedType } from "../files/served-type.ts";
import { signFileLink } from "../files/signed-link.ts";
import type { Caller } from "./handler.ts";

/** What a link of a version is made from. */
export interface LinkedVersion {
  readonly artifactId: string;
  readonly versionId: string;
  readonly mediaType: string;
}

/**
 * A signed link for this caller, good as long as its credential may read the artifact.
 * @param use `show`: in place where that is safe, else saved; `save`: always saved
 */
export function artifactLink(
  { signer, publicUrl, clock }: Context,
  caller: Caller,
  { artifactId, versionId, mediaType }: LinkedVersion,
  use: "show" | "save",
): string {
  const disposition = use === "show" && servedType(mediaType).inline ? "inline" : "attachment";
  const holder = { type: "credential", id: caller.credentialId } as const;
  return signFileLink(signer, publicUrl, { artifactId, versionId, disposition, holder }, clock.now());
}
