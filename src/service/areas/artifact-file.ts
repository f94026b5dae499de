import { formatDuration, momentText } from "../../contract/duration.ts";
import { shownChange } from "../audit/changes.ts";
import type { AuditEvent } from "../audit/entry.ts";
import { recordDownload } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { callerById } from "../credentials/caller-by-id.ts";
import { type LinkHolder, type OpenedLink, openFileLink } from "../files/signed-link.ts";
import type { Sender } from "../guessing/guesses.ts";
import { artifactRole } from "../permission/artifacts.ts";
import { ServiceError } from "../service-error.ts";
import type { BoundedMap } from "../store/bounded-map.ts";
import { type LoadedArtifact, loadArtifact } from "./artifact-rows.ts";
import type { Caller } from "./handler.ts";
import { openSourceFile } from "./source-file.ts";

/** The bytes that a signed link opens, and as what they go out. */
export interface OpenedFile {
  /** In the `FileStore`. */
  readonly fileId: string;
  readonly filename: string;
  /** As it was written: text from outside. */
  readonly mediaType: string;
  readonly disposition: "inline" | "attachment";
  /** Who reads what somebody else made, for the audit log; null: it is their own, or a link that was counted when it was opened. */
  readonly download: { readonly caller: Caller; readonly event: AuditEvent } | null;
}

/** Signed links of which it is recorded already that they were read, by their signature: players read a file in many pieces. */
export type ReadLinks = BoundedMap<true>;

/**
 * Opens a signed link. It is as good as its holder is now: who lost the access, the membership or the key has lost the
 * links too, and a link that was closed takes its own with it.
 * @param address path and query as they were sent; `from` who sent them
 * @param read what this process has recorded; the first read of a link by GET is
 * @throws ServiceError `forbidden` for anything that this service did not sign so, `link_expired`, `link_early`, `not_found`
 */
export async function openArtifactFile(
  context: Context,
  method: string,
  address: string,
  from: Sender,
  read: ReadLinks,
): Promise<OpenedFile> {
  const opened = await openFile(context, method, address, from);
  if (opened.download === null || method !== "GET") return opened;
  const signature = address.slice(address.lastIndexOf("=") + 1);
  if (read.get(signature)) return opened;
  const { caller, event } = opened.download;
  await recordDownload(context.store.db, caller, from, event);
  read.set(signature, true);
  return opened;
}

async function openFile(
  context: Context,
  method: string,
  address: string,
  from: Sender,
): Promise<OpenedFile> {
  const { store, signer, clock, guesses } = context;
  const link = await guesses.compare({ from, account: null, event: refusedLink }, async () => {
    const judged = () => openFileLink(signer, method, address, clock.now());
    let opened = judged();
    if (
      opened.type === "expired" ||
      opened.type === "early" ||
      (opened.type === "file" && clock.mayBeLate())
    ) {
      // It is ours. Where it is this process that is late, as after its machine slept, it is good; or it was.
      await clock.look();
      opened = judged();
    }
    return opened.type === "forged" ? null : opened;
  });
  if (link === null) throw new ServiceError("forbidden", { message: "This link is not valid." });
  if (link.type !== "file") throw refusedForItsTime(link, clock.now());
  const { artifactId, versionId, disposition, holder } = link.file;
  const ofSource = await openSourceFile(context, link.file);
  if (ofSource !== null) return ofSource;
  const loaded = await loadArtifact(store.db, artifactId, false);
  const reader = loaded === null ? null : await readerOf(context, holder, loaded);
  if (loaded === null || reader === null) throw new ServiceError("not_found");
  const version = await store.db
    .selectFrom("artifact_versions")
    .select(["file_id", "media_type"])
    .where("id", "=", versionId)
    .where("artifact_id", "=", artifactId)
    .executeTakeFirst();
  if (version === undefined) throw new ServiceError("not_found");
  const { id, filename, user_id: creator, team_id: teamId } = loaded.artifact;
  const event: AuditEvent = {
    action: "artifact.download",
    object: { kind: "artifact", id, name: filename },
    teamId,
    changes: [shownChange("disposition", null, disposition)],
  };
  const download = reader === "shared" || isOwn(reader, creator) ? null : { caller: reader, event };
  return { fileId: version.file_id, filename, mediaType: version.media_type, disposition, download };
}

/** Both were signed by this service. What was dated by a clock that has jumped since looks like one that is over: both are said. */
function refusedForItsTime(link: Exclude<OpenedLink, { type: "forged" | "file" }>, now: Date): ServiceError {
  if (link.type === "early") {
    const ahead = formatDuration(link.aheadMs);
    return new ServiceError("link_early", {
      message: `This link was issued in the future: the clock that dated it is at least ${ahead} ahead of the database's, or the database's was turned back since. Ask for a new one.`,
      details: { ahead_s: Math.round(link.aheadMs / 1_000) },
    });
  }
  const ago = formatDuration(now.getTime() - link.endedAt.getTime());
  return new ServiceError("link_expired", {
    message: `This link ended at ${momentText(link.endedAt)}, ${ago} ago: ask for a new one. If you got it less than ten minutes ago, the database's clock was turned forwards meanwhile.`,
    details: { ended_at: link.endedAt.toISOString() },
  });
}

/** A link to a file that this service did not sign. */
export const refusedLink: AuditEvent = { action: "link.refuse", object: { kind: "artifact", id: null } };

/** Whether it is the caller's own: what a team's key reads is a person's, or the whole team's. */
export const isOwn = (caller: Caller, ownerId: string | null): boolean =>
  caller.kind !== "team" && caller.userId === ownerId;

/** Who holds the link, as they are now; null: it opens nothing for them any more. */
async function readerOf(
  { store }: Context,
  holder: LinkHolder,
  { artifact, facts }: LoadedArtifact,
): Promise<Caller | "shared" | null> {
  if (holder.type === "shared") {
    const isOpen = artifact.link_mode !== "none" && artifact.link_revision === holder.revision;
    return isOpen && (await isSharedStill(store, artifact)) ? "shared" : null;
  }
  const caller = await callerById(store, holder.id);
  return caller !== null && artifactRole(caller, facts) !== null ? caller : null;
}

/** Whether who shared it, as `openSharedLink` asks it, is not deactivated. */
async function isSharedStill({ db }: Context["store"], artifact: LoadedArtifact["artifact"]) {
  const sharedBy = artifact.link_by ?? artifact.user_id;
  if (sharedBy === null) return true;
  const person = await db
    .selectFrom("users")
    .select("deactivated_at")
    .where("id", "=", sharedBy)
    .executeTakeFirst();
  return person === undefined || person.deactivated_at === null;
}
