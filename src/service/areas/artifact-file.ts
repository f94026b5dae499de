import { formatDuration } from "../../contract/duration.ts";
import type { AuditEvent } from "../audit/entry.ts";
import type { Context } from "../context.ts";
import { callerById } from "../credentials/caller-by-id.ts";
import { type LinkHolder, openFileLink } from "../files/signed-link.ts";
import type { Sender } from "../guessing/guesses.ts";
import { artifactRole } from "../permission/artifacts.ts";
import { ServiceError } from "../service-error.ts";
import { type LoadedArtifact, loadArtifact } from "./artifact-rows.ts";
import { openSourceFile } from "./source-file.ts";

/** The bytes that a signed link opens, and as what they go out. */
export interface OpenedFile {
  /** In the `FileStore`. */
  readonly fileId: string;
  readonly filename: string;
  /** As it was written: text from outside. */
  readonly mediaType: string;
  readonly disposition: "inline" | "attachment";
}

/**
 * Opens a signed link. It is as good as its holder is now: who lost the access, the membership or the key has lost the
 * links too, and a link that was closed takes its own with it.
 * @param address path and query as they were sent; `from` who sent them
 * @throws ServiceError `forbidden` for anything that this service did not sign so, `link_expired`, `not_found`
 */
export async function openArtifactFile(
  context: Context,
  method: string,
  address: string,
  from: Sender,
): Promise<OpenedFile> {
  const { store, signer, clock, guesses } = context;
  const link = await guesses.compare({ from, account: null, event: refusedLink }, async () => {
    const opened = openFileLink(signer, method, address, clock.now());
    return opened.type === "forged" ? null : opened;
  });
  if (link === null) throw new ServiceError("forbidden", { message: "This link is not valid." });
  if (link.type === "early") {
    const ahead = formatDuration(link.aheadMs);
    throw new ServiceError("forbidden", {
      message: `This link is not valid yet: it was signed by a clock that is at least ${ahead} ahead.`,
    });
  }
  if (link.type === "expired") throw new ServiceError("link_expired");
  const { artifactId, versionId, disposition, holder } = link.file;
  const ofSource = await openSourceFile(context, link.file);
  if (ofSource !== null) return ofSource;
  const loaded = await loadArtifact(store.db, artifactId, false);
  if (loaded === null || !(await mayOpen(context, holder, loaded))) throw new ServiceError("not_found");
  const version = await store.db
    .selectFrom("artifact_versions")
    .select(["file_id", "media_type"])
    .where("id", "=", versionId)
    .where("artifact_id", "=", artifactId)
    .executeTakeFirst();
  if (version === undefined) throw new ServiceError("not_found");
  const { filename } = loaded.artifact;
  return { fileId: version.file_id, filename, mediaType: version.media_type, disposition };
}

/** A link to a file that this service did not sign. */
export const refusedLink: AuditEvent = { action: "link.refuse", object: { kind: "artifact", id: null } };

async function mayOpen({ store }: Context, holder: LinkHolder, { artifact, facts }: LoadedArtifact) {
  if (holder.type === "shared") {
    return artifact.link_mode !== "none" && artifact.link_revision === holder.revision;
  }
  const caller = await callerById(store, holder.id);
  return caller !== null && artifactRole(caller, facts) !== null;
}
