import { linkPassword, linkPasswordHeader } from "../../contract/access.ts";
import type { endpoints } from "../../contract/endpoints.ts";
import { type AuditEvent, fromRequest } from "../audit/entry.ts";
import { recordCounted } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { servedType } from "../files/served-type.ts";
import { type LinkedFile, signFileLink } from "../files/signed-link.ts";
import { networkOf } from "../guessing/network.ts";
import { ServiceError } from "../service-error.ts";
import { refusedLink } from "./artifact-file.ts";
import type { Handlers } from "./handler.ts";
import { admitAttempt, forgiveAttempt } from "./link-attempts.ts";
import { linkIdOf } from "./shared-token.ts";

/** Never there, closed, replaced, deleted: one answer, so that it tells nothing. */
const noLink = () => new ServiceError("not_found", { message: "This link opens nothing.", param: "token" });

/** Own: what a link opens for somebody without an account (docs/interface.md, "Artifacts and access"). */
const openSharedLink: Handlers<typeof endpoints>["openSharedLink"] = async (context, request) => {
  const { params, headerFields, remoteAddress } = request;
  const linkId = await context.guesses.compare(
    { from: fromRequest(request), account: null, event: refusedLink },
    async () => linkIdOf(context.signer, params.token),
  );
  const opened = linkId === null ? null : await findOpened(context, linkId);
  if (opened === null) throw noLink();
  const count = (action: AuditEvent["action"]) =>
    recordCounted(context.store.db, request, networkOf(remoteAddress), {
      action,
      object: { kind: "artifact", id: opened.id, name: opened.filename },
      teamId: opened.team_id,
    });
  if (opened.link_password !== null) {
    const password = readPassword(headerFields[linkPasswordHeader]);
    await checkPassword(context, opened.id, opened.link_password, password, networkOf(remoteAddress)).catch(
      async (error: unknown) => {
        if (error instanceof ServiceError) await count("link.refuse");
        throw error;
      },
    );
    // It was slow: what was closed or changed meanwhile stays closed.
    const now = await findOpened(context, opened.link_id ?? "");
    if (now?.link_revision !== opened.link_revision) throw noLink();
  }
  await count("link.open");
  // Nobody has asked who they are, and so nobody the database what time it is.
  await context.clock.look();
  const sign = (disposition: LinkedFile["disposition"]) => {
    const holder = { type: "shared", revision: opened.link_revision } as const;
    const file = { artifactId: opened.id, versionId: opened.version_id, disposition, holder };
    return signFileLink(context.signer, context.publicUrl, file, context.clock.now());
  };
  return {
    type: "body",
    body: {
      filename: opened.filename,
      media_type: opened.media_type,
      size: opened.size,
      created_at: opened.created_at.toISOString(),
      shared_by: opened.first_name === null ? null : `${opened.first_name} ${opened.last_name}`.trim(),
      role: opened.link_role ?? "viewer",
      download_url: sign("attachment"),
      preview_url: servedType(opened.media_type).inline ? sign("inline") : null,
    },
  };
};

async function findOpened({ store }: Context, linkId: string) {
  const row = await store.db
    .selectFrom("artifacts")
    .innerJoin("artifact_versions as version", "version.id", "artifacts.version_id")
    // Links from before it was written down who opened them are the owner's.
    .leftJoin("users", (join) =>
      join.on((eb) => eb("users.id", "=", eb.fn.coalesce("artifacts.link_by", "artifacts.user_id"))),
    )
    .select(["artifacts.id", "artifacts.version_id", "artifacts.filename", "artifacts.team_id"])
    .select(["link_id", "link_role", "link_password", "link_revision"])
    .select(["version.media_type", "version.size", "version.created_at", "first_name", "last_name"])
    .where("link_id", "=", linkId)
    .where("users.deactivated_at", "is", null)
    .where("link_mode", "<>", "none")
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** @throws ServiceError `link_password_required` where there is none, `invalid_parameter` where it cannot be read */
function readPassword(sent = ""): string {
  if (sent === "") throw new ServiceError("link_password_required");
  try {
    return decodeURIComponent(sent);
  } catch {
    throw new ServiceError("invalid_parameter", {
      message: `The header ${linkPasswordHeader} holds percent-encoded UTF-8.`,
      param: linkPasswordHeader,
    });
  }
}

/**
 * Counts the try before it is compared, as a comparison is dear and its answer is what a guesser wants.
 * @throws ServiceError `link_password_wrong`, or `too_many_requests` also for the right one
 */
async function checkPassword(
  { store, passwords }: Context,
  artifactId: string,
  kept: string,
  password: string,
  network: string,
): Promise<void> {
  const admitted = await admitAttempt(store, artifactId, network);
  if (admitted.type === "wait") {
    throw new ServiceError("too_many_requests", {
      message: "Too many wrong passwords for this link: wait for the seconds in Retry-After.",
      retryAfter: admitted.seconds,
    });
  }
  // One that nobody could have set need not be compared.
  const right = linkPassword.safeParse(password).success && (await passwords.verify(password, kept));
  if (!right) throw new ServiceError("link_password_wrong");
  await forgiveAttempt(store, artifactId, network, admitted.attemptId);
}

export const sharedLinkHandlers: Pick<Handlers<typeof endpoints>, "openSharedLink"> = { openSharedLink };
