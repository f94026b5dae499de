import { sql } from "kysely";
import type { LinkChange, RemoveItem, ShareItem } from "../../contract/access.ts";
import type { Ids } from "../context.ts";
import { inTeam } from "../permission/actor.ts";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";
import { type AccessChange, foldEmail, invalidChange } from "./access-check.ts";
import type { LoadedArtifact } from "./artifact-rows.ts";
import type { Caller } from "./handler.ts";

/** A change that was checked, and what it needs beside it. */
export interface CheckedChange {
  readonly change: AccessChange;
  /** Of `link.password`, as it is kept; null without one. */
  readonly passwordHash: string | null;
  readonly caller: Caller;
  readonly ids: Ids;
}

/**
 * Removes, then adds, then sets the link, in the caller's transaction.
 * @returns the e-mails of newly granted people, the same for known and unknown ones
 * @throws ServiceError `invalid_access_change` naming the field, `forbidden` for a foreign team; nothing is changed then
 */
export async function applyAccessChange(
  tx: Tx,
  { artifact, people }: LoadedArtifact,
  checked: CheckedChange,
): Promise<readonly string[]> {
  const { share: shared = [], remove: removed = [], link } = checked.change;
  const owner = await ownerEmail(tx, artifact.user_id);
  for (const [index, item] of removed.entries())
    await remove(tx, artifact.id, owner, item, `remove.${index}`);
  const notified = new Set<string>();
  const gone = new Set(removed.flatMap((item) => (item.type === "person" ? [foldEmail(item.email)] : [])));
  for (const [index, item] of shared.entries()) {
    await share(tx, checked.caller, artifact.id, owner, item, `share.${index}`);
    if (item.type !== "person") continue;
    const email = foldEmail(item.email);
    if (gone.has(email) || !people.some((person) => person.email === email)) notified.add(email);
  }
  if (link !== undefined) await setLink(tx, artifact, link, checked);
  await tx.updateTable("artifacts").set({ updated_at: sql`now()` }).where("id", "=", artifact.id).execute();
  return [...notified];
}

/** Who did it; a team's key is nobody. */
function by(caller: Caller): string | null {
  return caller.kind === "team" ? null : caller.userId;
}

async function ownerEmail(tx: Tx, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const row = await tx.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  return row === undefined ? null : foldEmail(row.email);
}

async function share(
  tx: Tx,
  caller: Caller,
  artifactId: string,
  owner: string | null,
  item: ShareItem,
  at: string,
): Promise<void> {
  const { role } = item;
  switch (item.type) {
    case "person": {
      const email = foldEmail(item.email);
      if (email === owner) throw invalidChange("The owner's role cannot be changed.", `${at}.email`);
      return grant(tx, caller, { artifact_id: artifactId, kind: "person", grantee: email, role });
    }
    case "team":
      if (!inTeam(caller, item.team_id)) {
        throw new ServiceError("forbidden", {
          message: "You are not a member of this team.",
          param: `${at}.team_id`,
        });
      }
      return grant(tx, caller, { artifact_id: artifactId, kind: "team", grantee: item.team_id, role });
    case "organization":
      await tx
        .updateTable("artifacts")
        .set({ organization_role: role, organization_by: by(caller) })
        .where("id", "=", artifactId)
        .execute();
  }
}

interface Grant {
  readonly artifact_id: string;
  readonly kind: "person" | "team";
  readonly grantee: string;
  readonly role: string;
}

async function grant(tx: Tx, caller: Caller, row: Grant): Promise<void> {
  const { role } = row;
  await tx
    .insertInto("artifact_grants")
    .values({ ...row, granted_by: by(caller) })
    .onConflict((conflict) => conflict.columns(["artifact_id", "kind", "grantee"]).doUpdateSet({ role }))
    .execute();
}

/** Removing what is not there is no error: the wanted state is reached. */
async function remove(tx: Tx, artifactId: string, owner: string | null, item: RemoveItem, at: string) {
  if (item.type === "organization") {
    const none = { organization_role: null, organization_by: null };
    await tx.updateTable("artifacts").set(none).where("id", "=", artifactId).execute();
    return;
  }
  const grantee = item.type === "person" ? foldEmail(item.email) : item.team_id;
  if (item.type === "person" && grantee === owner) {
    throw invalidChange("The owner cannot be removed.", `${at}.email`);
  }
  await tx
    .deleteFrom("artifact_grants")
    .where("artifact_id", "=", artifactId)
    .where("kind", "=", item.type)
    .where("grantee", "=", grantee)
    .execute();
}

/**
 * A link that was closed gets a new address when it is opened again. Each change after which fewer may open it ends what
 * was signed for it before.
 */
async function setLink(
  tx: Tx,
  before: LoadedArtifact["artifact"],
  { mode, role }: LinkChange,
  { passwordHash, caller, ids }: CheckedChange,
): Promise<void> {
  const password = mode === "password" ? (passwordHash ?? before.link_password) : null;
  if (mode === "password" && password === null) {
    throw invalidChange("The link needs a password of 10 to 256 characters.", "link.password");
  }
  const opened = before.link_id === null && mode !== "none";
  // Absent: as it is; null: the default.
  const kept = role === undefined ? before.link_role : role;
  await tx
    .updateTable("artifacts")
    .set({
      link_mode: mode,
      link_role: mode === "none" ? null : (kept ?? "viewer"),
      link_id: mode === "none" ? null : (before.link_id ?? ids.make("link")),
      link_password: password,
      link_revision:
        mode === before.link_mode && password === before.link_password
          ? before.link_revision
          : before.link_revision + 1,
      ...(mode === "none" ? { link_by: null } : opened ? { link_by: by(caller) } : {}),
    })
    .where("id", "=", before.id)
    .execute();
  // What was guessed at the old address or password says nothing of the new one.
  if (opened) await tx.deleteFrom("link_tries").where("artifact_id", "=", before.id).execute();
}
